/// A box of a file of the ISO base media format, on which HEIF, JPEG 2000 and JPEG XL are based.
struct ISOBox {
  fileprivate let header: ByteView
  /// The bytes after the length and the type, as many as the file has.
  let contents: ByteView
  /// Whether the box states more bytes than there are.
  let isCut: Bool

  /// Whether the box has a type of four characters.
  func has(type: StaticString) -> Bool { header.starts(with: type, at: 4) }

  /// The four characters of the type, which may be any bytes.
  var type: String { String(decoding: header.slice(4, 4).array, as: UTF8.self) }
}

/// The boxes of a file, or of the contents of a box, in sequence (ISO/IEC 14496-12, 4.2; ITU-T T.800, annex I).
///
/// Accepts any bytes. The sequence ends before a box whose length is smaller than its header, and after one that extends
/// beyond the bytes.
struct ISOBoxes: Sequence, IteratorProtocol {
  private let bytes: ByteView
  private var offset = 0
  /// Whether the bytes end within a box. Known at the end of the sequence.
  private(set) var isCut = false

  init(_ bytes: ByteView) { self.bytes = bytes }

  mutating func next() -> ISOBox? {
    guard offset < bytes.count else { return nil }
    guard let size = bytes.number(at: offset, size: 4) else { return end(isCut: true) }
    let rest = bytes.count - offset
    var (head, length) = (8, size)
    if size == 0 {
      // The box extends to the end.
      length = rest
    } else if size == 1 {
      guard let high = bytes.number(at: offset + 8, size: 4),
        let low = bytes.number(at: offset + 12, size: 4)
      else { return end(isCut: true) }
      // A length of more than 48 bits is beyond the end of every file.
      (head, length) = (16, high < 1 << 16 ? high << 32 | low : 1 << 48)
    }
    guard length >= head else { return end(isCut: false) }
    let box = ISOBox(
      header: bytes.slice(offset, head), contents: bytes.slice(offset + head, length - head),
      isCut: length > rest)
    isCut = box.isCut
    offset += Swift.min(length, rest)
    return box
  }

  private mutating func end(isCut: Bool) -> ISOBox? {
    self.isCut = isCut
    offset = bytes.count
    return nil
  }
}
