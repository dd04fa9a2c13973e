import Decoding
import Models
import Rendering

/// Decodes the first frame of a GIF up to the first invalid code (GIF89a). libvips rejects a frame with an invalid code,
/// and leaves the missing part of a truncated frame transparent, which looks intended. The part of the canvas that the
/// frame does not cover is transparent, as in browsers; libvips makes it black unless a colour of a frame is transparent.
///
/// Accepts any input and returns pixels or an error.
struct GIFRecovery {
  private let file: ByteView
  private let canvas: PixelSize
  private var palette: [UInt8] = []
  private var transparent: Int?
  fileprivate var frame: Frame?

  fileprivate struct Frame {
    let left: Int
    let top: Int
    let size: PixelSize
    let isInterlaced: Bool
    /// The offset of the byte that states the code size; the blocks of codes follow it.
    let start: Int
  }

  /// - Throws: `.truncated` if the file ends before the pixels of a frame begin.
  init(_ source: ImageSource) throws(RenderError) {
    file = ByteView(source.bytes)
    guard let canvas = GIFStructure.canvas(file), let flags = file.byte(10) else {
      throw .truncated(.gif)
    }
    self.canvas = canvas
    try source.limits.check(bytesPerPixel: 2, width: canvas.width, height: canvas.height)
    var offset = 13
    palette = readPalette(flags, at: &offset)
    try findFrame(from: offset)
    guard let frame else { throw .truncated(.gif) }
    try source.limits.check(
      bytesPerPixel: 2, width: frame.size.width, height: frame.size.height)
  }

  /// The damage of a frame whose codes end before its pixels do, which libvips makes black without an error.
  var missingPixels: RenderError? {
    guard let frame else { return nil }
    let count = frame.size.width * frame.size.height
    var codes = GIFCodes(file, from: frame.start, pixels: count)
    guard codes.countPixels() < count else { return nil }
    return .damaged(.gif, "its first frame lacks pixels")
  }

  /// - Parameter damage: The damage of the file, which is thrown if no row can be decoded; nil for an intact file.
  func decode(side: Int, damage: RenderError?) throws(RenderError) -> DecodedPage {
    let failure = damage ?? .damaged(.gif)
    guard let frame, canvas.width > 0, canvas.height > 0 else { throw failure }
    var codes = GIFCodes(file, from: frame.start, pixels: frame.size.width * frame.size.height)
    let indices = codes.decode()
    let wholeRows = indices.count / max(1, frame.size.width)
    guard wholeRows > 0 else { throw failure }
    let positions = frame.rowPositions
    let info = DocumentInfo(
      format: .gif, width: canvas.width, height: canvas.height,
      hasAlpha: transparent != nil || !GIFStructure.coversCanvas(file))
    var rows = RowReducer(
      width: canvas.width, height: canvas.height, side: side, isOpaque: false)
    var row = [UInt8](repeating: 0, count: canvas.width * 4)
    for y in 0..<canvas.height {
      let line = y - frame.top
      let isInFrame = line >= 0 && line < frame.size.height
      let place = isInFrame ? positions.map { $0[line] } ?? line : 0
      for x in 0..<canvas.width {
        let column = x - frame.left
        let pixel = place * frame.size.width + column
        if !isInFrame || column < 0 || column >= frame.size.width {
          setPixel((0, 0, 0, 0), into: &row, at: x)
        } else if pixel < indices.count {
          setPixel(colour(Int(indices[pixel])), into: &row, at: x)
        } else {
          setPixel((Raster.missing, Raster.missing, Raster.missing, 255), into: &row, at: x)
        }
      }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    guard let raster = rows.finish() else { throw failure }
    let isComplete = indices.count >= frame.size.width * frame.size.height
    return DecodedPage(
      info: info, raster: raster, damage: damage ?? (isComplete ? nil : .damaged(.gif)))
  }

  private typealias Colour = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

  private func setPixel(_ colour: Colour, into row: inout [UInt8], at x: Int) {
    row[x * 4] = colour.red
    row[x * 4 + 1] = colour.green
    row[x * 4 + 2] = colour.blue
    row[x * 4 + 3] = colour.alpha
  }

  /// Returns the colour of an index, or black for an index beyond the palette.
  private func colour(_ index: Int) -> Colour {
    guard index != transparent else { return (0, 0, 0, 0) }
    guard index * 3 + 2 < palette.count else { return (0, 0, 0, 255) }
    return (palette[index * 3], palette[index * 3 + 1], palette[index * 3 + 2], 255)
  }

  /// Reads the colour table that the flags announce, which may be truncated, and advances `offset` past it.
  private func readPalette(_ flags: UInt8, at offset: inout Int) -> [UInt8] {
    guard flags & 0x80 != 0 else { return [] }
    let size = 3 << (Int(flags & 7) + 1)
    defer { offset += size }
    return file.slice(offset, size).array
  }

  /// Finds the first frame, and takes the transparent index from the extensions before it.
  private mutating func findFrame(from start: Int) throws(RenderError) {
    var offset = start
    while let introducer = file.byte(offset) {
      switch introducer {
      case 0x21:
        // A graphic control extension contains flags, a delay, and the transparent index.
        if file.byte(offset + 1) == 0xf9, let flags = file.byte(offset + 3), flags & 1 != 0 {
          transparent = file.byte(offset + 6).map { Int($0) }
        }
        offset += 2
        while let size = file.byte(offset), size > 0 { offset += 1 + Int(size) }
        offset += 1
      case 0x2c:
        func number(_ place: Int) -> Int? {
          file.number(at: offset + place, size: 2, bigEndian: false)
        }
        guard let left = number(1), let top = number(3), let width = number(5),
          let height = number(7), let flags = file.byte(offset + 9)
        else { return }
        var data = offset + 10
        let local = readPalette(flags, at: &data)
        if !local.isEmpty { palette = local }
        frame = Frame(
          left: left, top: top, size: PixelSize(width: width, height: height),
          isInterlaced: flags & 0x40 != 0, start: data)
        return
      default: throw .damaged(.gif, "there is no frame in it")
      }
    }
  }
}

extension GIFRecovery.Frame {
  /// The position in the data of each row of the image, or nil if the rows are stored in order.
  fileprivate var rowPositions: [Int]? {
    guard isInterlaced else { return nil }
    var positions = [Int](repeating: 0, count: size.height)
    var next = 0
    for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
      for row in stride(from: first, to: size.height, by: step) {
        positions[row] = next
        next += 1
      }
    }
    return positions
  }
}
