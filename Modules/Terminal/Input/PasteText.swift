/// The conversion of a bracketed paste to text.
enum PasteText {
  /// Returns the text with line breaks as line feeds and without other control characters except tabs, so
  /// that a paste cannot act as keys or reach the screen as a sequence.
  static func paste(_ bytes: [UInt8], isTruncated: Bool) -> Paste {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0x0d: kept.append(0x0a)
      case 0x0a: if last != 0x0d { kept.append(0x0a) }
      case 0x09, 0x20..<0x7f, 0x80...: kept.append(byte)
      default: break
      }
      last = byte
    }
    if isTruncated { dropPartialCharacter(&kept) }
    return Paste(String(decoding: kept, as: UTF8.self), isTruncated: isTruncated)
  }

  private static func dropPartialCharacter(_ bytes: inout [UInt8]) {
    var tail = 0
    while tail < 3, tail < bytes.count, bytes[bytes.count - 1 - tail] & 0xc0 == 0x80 { tail += 1 }
    guard tail < bytes.count else { return }
    let first = bytes[bytes.count - 1 - tail]
    let length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    if length != tail + 1 { bytes.removeLast(tail + 1) }
  }
}
