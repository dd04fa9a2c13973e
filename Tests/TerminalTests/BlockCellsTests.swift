import Testing

@testable import Terminal

/// Images of block characters: what the cells show is what the image shows.
@Suite struct BlockCellsTests {
  private let symbols = SymbolCells(
    Capabilities(colours: .trueColour, images: .symbols, cellPixels: PixelSize(8, 16)))

  private static let splits: [Character] = Array("▁▂▃▄▅▆▇▎▌▊▘▝▖▗▚")

  /// Whether a sample of 4 × 8 has the foreground.
  private static func isInk(_ character: Character, _ x: Int, _ y: Int) -> Bool {
    if let lower = "▁▂▃▄▅▆▇".firstIndex(of: character) {
      return y >= 7 - "▁▂▃▄▅▆▇".distance(from: "▁▂▃▄▅▆▇".startIndex, to: lower)
    }
    switch character {
    case "▎": return x < 1
    case "▌": return x < 2
    case "▊": return x < 3
    case "▘": return x < 2 && y < 4
    case "▝": return x >= 2 && y < 4
    case "▖": return x < 2 && y >= 4
    case "▗": return x >= 2 && y >= 4
    case "▚": return (x < 2) == (y < 4)
    default: return false
    }
  }

  private func cells(_ image: Image, _ size: Size) throws -> ContiguousArray<Cell> {
    try #require(symbols.cells(image, PixelRect(image.size), size))
  }

  @Test("every shape that a block has is drawn as it is", arguments: splits)
  func shapes(character: Character) throws {
    var pixels: [UInt8] = []
    for y in 0..<8 {
      for x in 0..<4 { pixels += Self.isInk(character, x, y) ? [200, 30, 10] : [5, 60, 220] }
    }
    let image = try #require(Image(width: 4, height: 8, format: .rgb, pixels: pixels))
    let cell = try #require(try cells(image, Size(1, 1)).first)
    #expect(cell.text == String(character))
    #expect(cell.style == Style(.rgb(200, 30, 10), on: .rgb(5, 60, 220)))
  }

  @Test("what is nearly one colour is a space, which costs the terminal less")
  func plain() throws {
    var pixels: [UInt8] = []
    for y in 0..<8 { for _ in 0..<4 { pixels += y < 4 ? [100, 100, 100] : [101, 101, 101] } }
    let image = try #require(Image(width: 4, height: 8, format: .rgb, pixels: pixels))
    let cell = try #require(try cells(image, Size(1, 1)).first)
    #expect(cell.text == " " && cell.foreground.isDefault)
  }

  @Test("what is transparent shows the terminal's background")
  func transparent() throws {
    let symbols = SymbolCells(
      Capabilities(
        colours: .trueColour, images: .symbols, cellPixels: PixelSize(8, 16),
        background: .rgb(0x204060)))
    let image = try #require(
      Image(
        width: 2, height: 1, format: .rgba, pixels: [255, 255, 255, 0, 255, 255, 255, 255]))
    let cells = try #require(symbols.cells(image, PixelRect(image.size), Size(8, 1)))
    #expect(cells.first?.background == .rgb(0x204060))
    #expect(cells.last?.background == .rgb(0xffffff))
  }

  @Test("pictures of any size in any number of cells have the colours of the picture")
  func sizes() throws {
    for (width, height) in [(1, 1), (1, 200), (3, 7), (97, 61), (640, 480), (2_000, 3)] {
      let image = try TestImages.gradient(width, height)
      for size in [Size(1, 1), Size(7, 3), Size(40, 12)] {
        let cells = try cells(image, size)
        #expect(cells.count == size.columns * size.rows)
        for row in 0..<size.rows {
          for column in 0..<size.columns {
            let mean = mean(image, column, row, size)
            let shown = shown(cells[row * size.columns + column])
            for (one, other) in zip(mean, shown) {
              #expect(abs(one - other) < 12, "\(width) × \(height) in \(size) at \(column), \(row)")
            }
          }
        }
      }
    }
  }

  /// The mean colour of a cell.
  private func shown(_ cell: Cell) -> [Double] {
    let character = cell.text.first ?? " "
    var sum = [0.0, 0, 0]
    for y in 0..<8 {
      for x in 0..<4 {
        let colour = Self.isInk(character, x, y) ? cell.foreground : cell.background
        let (red, green, blue) = colour.components ?? (0, 0, 0)
        for (index, value) in [red, green, blue].enumerated() { sum[index] += Double(value) }
      }
    }
    return sum.map { $0 / 32 }
  }

  /// The mean of the image's part below a cell, by many samples.
  private func mean(_ image: Image, _ column: Int, _ row: Int, _ size: Size) -> [Double] {
    var sum = [0.0, 0, 0]
    let count = 24
    for y in 0..<count {
      for x in 0..<count {
        let at = (Double(column) + (Double(x) + 0.5) / Double(count)) / Double(size.columns)
        let down = (Double(row) + (Double(y) + 0.5) / Double(count)) / Double(size.rows)
        let colour = lying(
          image, at * Double(image.size.width), down * Double(image.size.height))
        for index in 0..<3 { sum[index] += colour[index] }
      }
    }
    return sum.map { $0 / Double(count * count) }
  }

  /// Between the middles of the pixels around a place.
  private func lying(_ image: Image, _ x: Double, _ y: Double) -> [Double] {
    func pixel(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      let (column, row) = (
        max(0, min(image.size.width - 1, x)), max(0, min(image.size.height - 1, y))
      )
      return Double(
        image.pixels[
          (row * image.size.width + column) * image.format.rawValue + channel])
    }
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    let (across, down) = (x - 0.5 - left, y - 0.5 - top)
    return (0..<3).map { channel in
      let (column, row) = (Int(left), Int(top))
      return (pixel(column, row, channel) * (1 - across) + pixel(column + 1, row, channel) * across)
        * (1 - down)
        + (pixel(column, row + 1, channel) * (1 - across)
          + pixel(column + 1, row + 1, channel) * across) * down
    }
  }
}
