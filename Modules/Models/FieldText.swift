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

  /// Decodes a reference to a resource. In one that is not UTF-8, the bytes beyond ASCII are percent-encoded, as curl and
  /// browsers do: the server that has sent them expects the same bytes in the request.
  static func reference(_ bytes: RawSpan) -> String {
    bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { bytes in
        if let text = try? UTF8Span(validating: bytes.span) { return String(copying: text) }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
          if byte < 0x80 {
            encoded.append(byte)
          } else {
            encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xf)]]
          }
        }
        return String(decoding: encoded, as: UTF8.self)
      }
    }
  }
}
