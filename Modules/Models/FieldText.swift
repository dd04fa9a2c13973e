/// Decodes the bytes of a field.
public enum FieldText {
  /// Decodes valid UTF-8 as such and everything else as Latin-1, so that no message is rejected for its
  /// encoding.
  public static func decode(_ octets: RawSpan) -> String {
    octets.withUnsafeBytes { octets in
      octets.withMemoryRebound(to: UInt8.self) { octets in
        if let text = try? UTF8Span(validating: octets.span) { return String(copying: text) }
        return String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
      }
    }
  }
}
