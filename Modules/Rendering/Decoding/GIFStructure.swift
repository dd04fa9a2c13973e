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

  /// The size of the canvas: that of the logical screen, or more if the first frame goes beyond it, as in browsers and in
  /// libvips. A side of some screens is 0.
  /// - Returns: nil if the file ends before the sizes.
  public static func canvas(_ file: ByteView) -> PixelSize? {
    guard let width = file.number(at: 6, size: 2, bigEndian: false),
      let height = file.number(at: 8, size: 2, bigEndian: false)
    else { return nil }
    guard let frame = firstFrame(file) else { return PixelSize(width: width, height: height) }
    return PixelSize(
      width: max(width, frame.left + frame.size.width),
      height: max(height, frame.top + frame.size.height))
  }

  /// Whether the first frame covers the canvas. A file without a frame counts as covered, because its decoder reports
  /// the error.
  public static func coversCanvas(_ file: ByteView) -> Bool {
    guard let canvas = canvas(file), let frame = firstFrame(file) else { return true }
    return frame.left == 0 && frame.top == 0 && frame.size.width >= canvas.width
      && frame.size.height >= canvas.height
  }

  private static func firstFrame(_ file: ByteView) -> (left: Int, top: Int, size: PixelSize)? {
    guard let flags = file.byte(10) else { return nil }
    var offset = 13 + colourTable(flags)
    while file.byte(offset) == 0x21 { offset = endOfBlocks(file, from: offset + 2) }
    func number(_ place: Int) -> Int? {
      file.number(at: offset + place, size: 2, bigEndian: false)
    }
    guard file.byte(offset) == 0x2c, let left = number(1), let top = number(3),
      let width = number(5), let height = number(7)
    else { return nil }
    return (left, top, PixelSize(width: width, height: height))
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
