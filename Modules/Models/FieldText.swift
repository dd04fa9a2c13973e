/// How bytes of a field become text.
public enum FieldText {
  /// UTF-8 where the bytes are that, otherwise Latin-1: no message is lost to its encoding.
  public static func decode(_ octets: RawSpan) -> String {
    octets.withUnsafeBytes { octets in
      octets.withMemoryRebound(to: UInt8.self) { octets in
        if let text = try? UTF8Span(validating: octets.span) { return String(copying: text) }
        return String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
      }
    }
  }
}
