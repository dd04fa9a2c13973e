/// The encoding windows-1252 (WHATWG Encoding Standard), which contains ISO 8859-1: that of texts which state no
/// encoding and are not UTF-8.
public enum Windows1252 {
  /// Returns the text in UTF-8. Every sequence of bytes is valid.
  public static func utf8(_ bytes: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 8)
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x80 {
        output.append(byte)
      } else if byte < 0xa0, let scalar = Unicode.Scalar(highControls[Int(byte) - 0x80]) {
        output.append(contentsOf: scalar.utf8)
      } else {
        output.append(0xc0 | byte >> 6)
        output.append(0x80 | byte & 0x3f)
      }
    }
    return output
  }

  /// Returns the text as a string.
  public static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: utf8(bytes), as: UTF8.self)
  }

  /// The characters of the bytes 0x80 to 0x9f; the other bytes are those of ISO 8859-1.
  private static let highControls: [UInt16] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x02dc,
    0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
  ]
}
