/// The blocks of a GIF (89a), parsed without decoding any.
public struct GIFStructure {
  /// Whether the blocks reach the trailer, or a byte that begins no block.
  public private(set) var isWhole = false

  /// Accepts any input.
  public init(_ file: ByteView) {
    guard let flags = file.byte(10) else { return }
    var offset = 13 + Self.colourTable(flags)
    while let introducer = file.byte(offset) {
      switch introducer {
      case 0x21:  // Extension: a label, then blocks.
        offset = Self.endOfBlocks(file, from: offset + 2)
      case 0x2c:  // Image: place and size, colours, the size of a code, then blocks.
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

  /// Returns the offset after the empty block that ends a run of blocks, or one beyond the end of the file.
  private static func endOfBlocks(_ file: ByteView, from start: Int) -> Int {
    var offset = start
    while let size = file.byte(offset), size > 0 { offset += 1 + Int(size) }
    return offset + 1
  }
}
