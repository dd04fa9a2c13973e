/// The blocks of a GIF (89a), parsed without decoding any.
public struct GIFStructure {
  /// Whether the file is complete: the trailer, or another byte that starts no block, follows the blocks.
  public private(set) var isWhole = false

  /// Parses the blocks of a file, which may be malformed.
  public init(_ file: ByteView) {
    guard let flags = file.byte(10) else { return }
    var offset = 13 + Self.colourTable(flags)
    while let introducer = file.byte(offset) {
      switch introducer {
      case 0x21:  // An extension consists of a label and data sub-blocks.
        offset = Self.endOfBlocks(file, from: offset + 2)
      case 0x2c:  // An image has a position, a size, colours, a code size and sub-blocks.
        guard let flags = file.byte(offset + 9) else { return }
        offset = Self.endOfBlocks(file, from: offset + 11 + Self.colourTable(flags))
      default:
        isWhole = true
        return
      }
    }
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
