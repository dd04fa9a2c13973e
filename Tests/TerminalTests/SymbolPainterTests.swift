import Testing

@testable import Terminal

@Suite struct SymbolPainterTests {
  private func shown(_ buffer: CellBuffer, _ capabilities: Capabilities) -> CellBuffer {
    var painter = ImagePainters.painter(for: capabilities, isRemote: false)
    var result = buffer
    var output = Output()
    painter.prepare(&result, budget: 0, &output)
    return result
  }

  /// Left half red, right half blue.
  private func halves(_ size: Int) throws -> Image {
    var pixels: [UInt8] = []
    for _ in 0..<size {
      for x in 0..<size { pixels += x < size / 2 ? [255, 0, 0] : [0, 0, 255] }
    }
    return try #require(Image(width: size, height: size, format: .rgb, pixels: pixels))
  }

  @Test(
    "characters have the colors of the image, for rows of any length",
    arguments: [80, 82])
  func colours(side: Int) throws {
    var buffer = CellBuffer(Size(20, 10))
    buffer.place(try halves(side), in: Rect(2, 1, 8, 4))
    let result = shown(buffer, Capabilities(colours: .trueColour, images: .symbols))
    for row in 1..<5 {
      for column in 2..<10 {
        let cell = result[column, row]
        // A full block shows its foreground, a space its background.
        let colour = cell.text == " " ? cell.style.background : cell.style.foreground
        #expect(!cell.showsImage)
        #expect(colour == .rgb(column < 6 ? 0xff0000 : 0x0000ff), "\(column), \(row): \(cell)")
      }
    }
    #expect(result[1, 1] == .blank && result[10, 1] == .blank)
  }

  @Test(
    "with 256 and 16 colors only those are used", arguments: [ColourDepth.palette256, .ansi16])
  func fewer(depth: ColourDepth) throws {
    var buffer = CellBuffer(Size(20, 10))
    buffer.place(try TestImages.gradient(80, 80), in: Rect(2, 1, 8, 4))
    let result = shown(buffer, Capabilities(colours: depth, images: .symbols))
    for row in 1..<5 {
      for column in 2..<10 {
        for colour in [result[column, row].foreground, result[column, row].background] {
          #expect(colour.bits >> 24 <= 1)
          if depth == .ansi16 { #expect(colour.bits & 0xff < 16) }
        }
      }
    }
  }

  @Test("without colors and Unicode an image is ASCII, with dark and light distinguished")
  func ascii() throws {
    var pixels: [UInt8] = []
    for _ in 0..<40 { for x in 0..<80 { pixels += x < 40 ? [0, 0, 0] : [255, 255, 255] } }
    let image = try #require(Image(width: 80, height: 40, format: .rgb, pixels: pixels))
    var buffer = CellBuffer(Size(20, 10))
    buffer.place(image, in: Rect(0, 0, 8, 4))
    let result = shown(buffer, Capabilities(colours: .none, images: .ascii, unicode: false))
    let row = result.text(ofRow: 1)
    #expect(row.allSatisfy { $0.isASCII })
    #expect(result[1, 1].text != result[6, 1].text)
    for column in 0..<8 {
      #expect(result[column, 1].foreground.isDefault && result[column, 1].background.isDefault)
    }
  }

  @Test("text above an image and the clip stay; the image moves without being drawn again")
  func covered() throws {
    let image = try TestImages.gradient(80, 80)
    var buffer = CellBuffer(Size(20, 10))
    buffer.place(image, in: Rect(2, 1, 8, 4))
    let whole = shown(buffer, Capabilities(colours: .trueColour, images: .symbols))
    buffer.write("menu", at: Point(3, 2))
    var moved = CellBuffer(Size(20, 10))
    moved.clipped(to: Rect(0, 0, 20, 3)) { $0.place(image, in: Rect(5, -2, 8, 4)) }
    let covered = shown(buffer, Capabilities(colours: .trueColour, images: .symbols))
    #expect(covered.text(ofRow: 2).contains("menu"))
    let scrolled = shown(moved, Capabilities(colours: .trueColour, images: .symbols))
    for row in 0..<2 {
      for column in 0..<8 {
        #expect(scrolled[5 + column, row] == whole[2 + column, 3 + row])
      }
    }
  }
}
