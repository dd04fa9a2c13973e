/// The blocks of a GIF (89a), parsed without decoding any.
public struct GIFStructure {
  /// Whether the file is complete: the trailer, or another byte that starts no block, follows the blocks.
  public private(set) var isWhole = false
  /// Whether the file ends behind a whole image, where the trailer is missing.
  public private(set) var lacksOnlyTrailer = false

  /// Parses the blocks of a file, which may be malformed.
  public init(_ file: ByteView) {
    guard let flags = file.byte(10) else { return }
    var offset = 13 + Self.colourTable(flags)
    var hasImage = false
    while let introducer = file.byte(offset) {
      switch introducer {
      case 0x21:  // An extension consists of a label and data sub-blocks.
        offset = Self.endOfBlocks(file, from: offset + 2)
      case 0x2c:  // An image has a position, a size, colours, a code size and sub-blocks.
        guard let flags = file.byte(offset + 9) else { return }
        offset = Self.endOfBlocks(file, from: offset + 11 + Self.colourTable(flags))
        hasImage = true
      default:
        isWhole = true
        return
      }
    }
    lacksOnlyTrailer = hasImage && offset == file.count
  }

  /// Whether the first frame covers the canvas. A file without a frame counts as covered, because its decoder reports
  /// the error.
  public static func coversCanvas(_ file: ByteView) -> Bool {
    func number(_ offset: Int) -> Int? { file.number(at: offset, size: 2, bigEndian: false) }
    guard let flags = file.byte(10) else { return true }
    var offset = 13 + colourTable(flags)
    while file.byte(offset) == 0x21 { offset = endOfBlocks(file, from: offset + 2) }
    guard file.byte(offset) == 0x2c, let width = number(6), let height = number(8),
      let frameWidth = number(offset + 5), let frameHeight = number(offset + 7)
    else { return true }
    return number(offset + 1) == 0 && number(offset + 3) == 0 && frameWidth >= width
      && frameHeight >= height
  }

  private static func colourTable(_ flags: UInt8) -> Int {
    flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
  }

  /// Returns the offset after the empty sub-block that ends a sequence of data sub-blocks. The offset may lie
  /// beyond the end of the file.
  private static func endOfBlocks(_ file: ByteView, from start: Int) -> Int {
    var offset = start
    while let size = file.byte(offset), size > 0 { offset += 1 + Int(size) }
    return offset + 1
  }
}
