import Decoding
import Glibc
import Models
import Rendering

/// Decodes images of Radiance: rows of red, green and blue with a common exponent, whose values are proportional to the
/// light. Values above 1 are shown as white.
struct RadianceDecoder {
  let info: DocumentInfo
  private let file: ByteView
  private let width: Int
  private let height: Int
  private let isBottomUp: Bool
  private let isRightToLeft: Bool
  private let dataOffset: Int

  init(_ source: ImageSource) throws(RenderError) {
    file = ByteView(source.bytes)
    var lines = Lines(file)
    while let line = lines.next(), !line.isEmpty {
      if line.hasPrefix("FORMAT="), line != "FORMAT=32-bit_rle_rgbe" {
        throw .unsupported(.hdr, "has colors that imgdl does not read", String(line.dropFirst(7)))
      }
    }
    guard let size = lines.next() else { throw .truncated(.hdr) }
    let words = size.split(separator: " ")
    guard words.count == 4, let first = Int(words[1]), let second = Int(words[3]), first > 0,
      second > 0
    else { throw .damaged(.hdr, "its size is not a number") }
    guard ["-Y", "+Y"].contains(words[0]), ["-X", "+X"].contains(words[2]) else {
      throw .unsupported(.hdr, "has columns in place of rows, which imgdl does not read")
    }
    (width, height) = (second, first)
    (isBottomUp, isRightToLeft) = (words[0] == "+Y", words[2] == "-X")
    dataOffset = lines.offset
    try source.limits.check(width: width, height: height)
    // Rows from the bottom are held as a whole.
    try source.limits.check(bytesPerPixel: isBottomUp ? 4 : 0, width: width, height: height)
    info = DocumentInfo(format: .hdr, width: width, height: height)
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    var rows = RowReducer(width: width, height: height, side: side, isOpaque: true)
    var offset = dataOffset
    var damage: RenderError?
    var stored: [[UInt8]] = []
    for _ in 0..<height {
      var row = [UInt8](repeating: 255, count: width * 4)
      damage = read(&row, at: &offset)
      if damage != nil { break }
      show(&row)
      if isBottomUp {
        stored.append(row)
      } else {
        row.withUnsafeMutableBufferPointer { rows.push($0) }
      }
    }
    guard rows.pushedRows > 0 || !stored.isEmpty else { throw damage ?? .truncated(.hdr) }
    if isBottomUp {
      let missing = [UInt8](repeating: Raster.missing, count: width * 4)
      for y in (0..<height).reversed() {
        var row = y < stored.count ? stored[y] : missing
        row.withUnsafeMutableBufferPointer { rows.push($0) }
      }
    }
    guard let raster = damage == nil ? rows.finish() : rows.finishWithGrey() else {
      throw .damaged(.hdr)
    }
    return DecodedPage(info: info, raster: raster, damage: damage)
  }

  // MARK: - Rows

  /// Reads a row: the four components one after the other, each in runs, or else pixels, possibly repeated.
  private func read(_ row: inout [UInt8], at offset: inout Int) -> RenderError? {
    let isInRuns =
      (8...0x7fff).contains(width) && file.number(at: offset, size: 2) == 0x0202
      && file.number(at: offset + 2, size: 2) == width
    guard isInRuns else { return readPixels(&row, at: &offset) }
    offset += 4
    for component in 0..<4 {
      var x = 0
      while x < width {
        guard let head = file.byte(offset) else { return .truncated(.hdr) }
        offset += 1
        let isRun = head > 128
        let count = Int(isRun ? head - 128 : head)
        guard count > 0, count <= width - x else {
          return .damaged(.hdr, "a run extends beyond its row")
        }
        for index in 0..<count {
          guard let value = file.byte(offset + (isRun ? 0 : index)) else {
            return .truncated(.hdr)
          }
          row[(x + index) * 4 + component] = value
        }
        x += count
        offset += isRun ? 1 : count
      }
    }
    return nil
  }

  /// Reads pixels of four bytes. A pixel 1, 1, 1, n repeats the one before n times; several of them in sequence are the
  /// digits of a number, the lowest first.
  private func readPixels(_ row: inout [UInt8], at offset: inout Int) -> RenderError? {
    var (x, shift) = (0, 0)
    while x < width {
      let pixel = file.slice(offset, 4).array
      guard pixel.count == 4 else { return .truncated(.hdr) }
      offset += 4
      guard pixel.starts(with: [1, 1, 1]) else {
        for component in 0..<4 { row[x * 4 + component] = pixel[component] }
        (x, shift) = (x + 1, 0)
        continue
      }
      guard x > 0, shift <= 16, Int(pixel[3]) << shift <= width - x else {
        return .damaged(.hdr, "a run extends beyond its row")
      }
      for _ in 0..<(Int(pixel[3]) << shift) {
        for component in 0..<4 { row[x * 4 + component] = row[(x - 1) * 4 + component] }
        x += 1
      }
      shift += 8
    }
    return nil
  }

  // MARK: - Values

  /// Converts a row from mantissas and exponents to sRGB, from left to right.
  private func show(_ row: inout [UInt8]) {
    for x in 0..<width {
      let exponent = Int(row[x * 4 + 3])
      for component in 0..<3 {
        // A mantissa m stands for (m + 0.5) / 256; an exponent of 0 for black.
        let mantissa = Double(row[x * 4 + component]) + 0.5
        let value =
          exponent == 0 ? 0 : Double(sign: .plus, exponent: exponent - 136, significand: mantissa)
        row[x * 4 + component] = Self.levels[Int(min(value, 1) * Double(Self.levels.count - 1))]
      }
      row[x * 4 + 3] = 255
    }
    guard isRightToLeft else { return }
    for x in 0..<(width / 2) {
      for component in 0..<4 { row.swapAt(x * 4 + component, (width - 1 - x) * 4 + component) }
    }
  }

  /// The values of sRGB (IEC 61966-2-1) of amounts of light from 0 to 1, in equal steps.
  private static let levels: [UInt8] = (0..<65_536).map { step in
    let light = Double(step) / 65_535
    let value = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8(min(max(value * 255 + 0.5, 0), 255))
  }

  /// The lines of the header.
  private struct Lines {
    private let file: ByteView
    private(set) var offset = 0
    /// The maximum length of a line in bytes.
    private static let limit = 4_096

    init(_ file: ByteView) { self.file = file }

    /// Returns the next line without its end; nil if the file has none, or a longer one.
    mutating func next() -> String? {
      guard let end = file.firstIndex(of: 0x0a, from: offset), end - offset <= Self.limit else {
        return nil
      }
      let line = file.slice(offset, end - offset).array
      offset = end + 1
      return String(decoding: line.last == 0x0d ? line.dropLast() : line[...], as: UTF8.self)
    }
  }
}
