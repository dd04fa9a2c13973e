/// A character encoding of web documents (WHATWG Encoding Standard).
public enum DocumentEncoding: Sendable, Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  /// The encoding of labels such as `iso-8859-1` and `us-ascii`, and of documents that state none.
  case windows1252
  /// Another encoding, by the name that iconv(3) uses.
  case converted(String)

  /// Returns the encoding for a label such as `Shift_JIS`; nil for an unknown label. Case, spaces and
  /// punctuation are ignored, because the standard's labels differ in more than these.
  public init?(label: some StringProtocol) {
    var key: [UInt8] = []
    for byte in label.utf8.prefix(64) {
      switch byte {
      case 0x30...0x39, 0x61...0x7a: key.append(byte)
      case 0x41...0x5a: key.append(byte | 0x20)
      default: break
      }
    }
    guard let encoding = EncodingLabels.encodings[String(decoding: key, as: UTF8.self)] else {
      return nil
    }
    self = encoding
  }

  /// Returns the encoding that a byte order mark states, and the length of the mark; nil without a mark.
  public static func byteOrderMark(
    _ bytes: UnsafeRawBufferPointer
  ) -> (encoding: DocumentEncoding, length: Int)? {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return (.utf8, 3) }
    if bytes.starts(with: [0xfe, 0xff]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xff, 0xfe]) { return (.utf16(isBigEndian: false), 2) }
    return nil
  }
}
