/// Decodes the bytes of a header field's name or value.
public enum FieldText {
  /// Decodes valid UTF-8 as UTF-8 and all other bytes as Latin-1, so that no message is rejected for its
  /// encoding.
  public static func decode(_ bytes: RawSpan) -> String {
    bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { bytes in
        if let text = try? UTF8Span(validating: bytes.span) { return String(copying: text) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      }
    }
  }
}
