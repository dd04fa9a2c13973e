import TestSupport
import Testing

@testable import Terminal

@Suite struct ColourTests {
  private func written(_ style: Style, _ depth: ColourDepth) -> String {
    var diff = CellDiff(colours: depth, unicode: true)
    var buffer = CellBuffer(Size(10, 1))
    buffer.write("x", at: Point(0, 0), style: style)
    var output = Output()
    diff.write(from: CellBuffer(Size(10, 1)), to: buffer, &output)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  private let orange = Style(.rgb(0xff8700), on: .rgb(8, 8, 8), [.bold])

  @Test("colours go as they are to a terminal with all of them")
  func trueColour() {
    #expect(
      written(orange, .trueColour)
        == "\u{1b}[1;1H\u{1b}[1;38;2;255;135;0;48;2;8;8;8mx\u{1b}[0m")
  }

  @Test("a terminal with 256 gets the nearest of the cube and the greys")
  func palette() {
    #expect(written(orange, .palette256) == "\u{1b}[1;1H\u{1b}[1;38;5;208;48;5;232mx\u{1b}[0m")
  }

  @Test("a terminal with 16 gets the nearest of those")
  func sixteen() {
    #expect(written(Style(.rgb(250, 10, 10)), .ansi16) == "\u{1b}[1;1H\u{1b}[91mx\u{1b}[39m")
    #expect(written(Style(.palette(4)), .ansi16) == "\u{1b}[1;1H\u{1b}[34mx\u{1b}[39m")
  }

  @Test("without colours, bold and reverse remain")
  func none() {
    #expect(written(orange.with(.reverse), .none) == "\u{1b}[1;1H\u{1b}[1;7mx\u{1b}[0m")
  }

  @Test("every colour of the palette is nearest to itself")
  func nearest() {
    for index in UInt8(16)...255 {
      let (red, green, blue) = Palette.components(index)
      let found = Palette.components(Palette.nearest256(Int(red), Int(green), Int(blue)))
      #expect(found == (red, green, blue), "\(index)")
    }
  }

  @Test("where only ASCII is shown, lines and blocks become what looks like them")
  func ascii() {
    var diff = CellDiff(colours: .none, unicode: false)
    var buffer = CellBuffer(Size(12, 1))
    buffer.write("┌─│█…日é", at: Point(0, 0))
    var output = Output()
    diff.write(from: CellBuffer(buffer.size), to: buffer, &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\u{1b}[1;1H+-|#.???")
  }

  @Test("contrast is that of the Web Content Accessibility Guidelines")
  func contrast() throws {
    for (one, other, ratio) in [
      (0xff_ffff, 0x00_0000, 21.0), (0x77_7777, 0xff_ffff, 4.478), (0x76_7676, 0xff_ffff, 4.542),
      (0xff_0000, 0xff_ffff, 3.998), (0x00_00ff, 0xff_ffff, 8.592), (0x12_3456, 0x12_3456, 1),
    ] {
      let (one, other) = (Colour.rgb(UInt32(one)), Colour.rgb(UInt32(other)))
      #expect(abs(try #require(one.contrast(with: other)) - ratio) < 0.001)
      #expect(one.contrast(with: other) == other.contrast(with: one))
    }
    #expect(Colour.default.contrast(with: .rgb(0)) == nil)
    #expect(Colour.palette(231).contrast(with: .palette(16)) == 21)
  }

  @Test(
    "every colour has a readable one near it on every background",
    arguments: ColourDepth.allCases)
  func readable(depth: ColourDepth) {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let colour = Colour.rgb(UInt32.random(in: 0...0xff_ffff, using: &generator))
      let background = Colour.rgb(UInt32.random(in: 0...0xff_ffff, using: &generator))
      let found = colour.readable(on: background, atLeast: 4.5, depth: depth)
      let contrast = found.reduced(to: depth).contrast(with: background.reduced(to: depth))
      #expect(contrast.map { $0 >= 4.5 } ?? (depth == .none))
      // What can be read stays as it is.
      #expect(found.readable(on: background, atLeast: 4.5, depth: depth) == found)
    }
  }
}
