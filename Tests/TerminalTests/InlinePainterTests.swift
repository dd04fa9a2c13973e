import Foundation
import Testing

@testable import Terminal

@Suite struct InlinePainterTests {
  private func frame(_ writer: inout ScreenWriter, _ buffer: CellBuffer, budget: Int = 1 << 20)
    -> String
  {
    var output = Output()
    writer.write(buffer, budget: budget, &output)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  @Test("iTerm2 gets a PNG with the pixels, and the cells that it fills", arguments: [false, true])
  func iTerm2(alpha: Bool) throws {
    let image = try TestImages.gradient(50, 30, alpha: alpha)
    var writer = ScreenWriter(Capabilities(images: .iTerm2, cellPixels: PixelSize(10, 20)))
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(3, 2, 6, 3))
    let text = frame(&writer, buffer)
    let start = try #require(text.firstRange(of: "\u{1b}]1337;File="))
    let end = try #require(text[start.upperBound...].firstIndex(of: "\u{7}"))
    #expect(text[..<start.lowerBound].hasSuffix("\u{1b}[3;4H"))
    let halves = text[start.upperBound..<end].split(separator: ":")
    #expect(halves[0].contains("width=6;height=3;preserveAspectRatio=0"))
    let (size, pixels) = try Decoding.png(try Decoding.base64(Array(halves[1].utf8)))
    #expect(size == .init(width: 50, height: 30, channels: alpha ? 4 : 3))
    #expect(pixels == image.pixels)
  }

  @Test("a part of a picture is cut out before it is sent")
  func part() throws {
    let image = try TestImages.gradient(50, 30)
    var writer = ScreenWriter(Capabilities(images: .iTerm2, cellPixels: PixelSize(10, 20)))
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(3, 2, 6, 3), source: PixelRect(7, 5, 20, 10))
    let text = frame(&writer, buffer)
    let start = try #require(text.firstRange(of: "\u{1b}]1337;File="))
    let end = try #require(text[start.upperBound...].firstIndex(of: "\u{7}"))
    let halves = text[start.upperBound..<end].split(separator: ":")
    let (size, pixels) = try Decoding.png(try Decoding.base64(Array(halves[1].utf8)))
    #expect(size == .init(width: 20, height: 10, channels: 3))
    let source = (5 * 50 + 7) * 3
    #expect(Array(pixels[..<60]) == Array(image.pixels[source..<source + 60]))
  }

  @Test(
    "sixels have the colours of the picture where it has them",
    arguments: [(60, 60), (90, 54), (17, 31)], [20, 19, 15])
  func sixel(image: (width: Int, height: Int), cellHeight: Int) throws {
    let cell = PixelSize(10, cellHeight)
    let (width, height) = image
    let rows = 3 * cellHeight
    let image = try TestImages.gradient(width, height)
    var writer = ScreenWriter(Capabilities(images: .sixel, cellPixels: cell))
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(3, 2, 9, 3))
    let text = frame(&writer, buffer)
    let start = try #require(text.firstRange(of: "\u{1b}[3;4H\u{1b}P"))
    let end = try #require(text[start.upperBound...].firstRange(of: "\u{1b}\\"))
    let screen = try SixelScreen(text[start.upperBound..<end.upperBound].utf8)
    // 9 × 3 cells, to the last row of pixels, though sixels come in sixes.
    #expect(screen.pixels.count == rows)
    #expect(text.contains("\"1;1;90;\(rows)#"))
    #expect(screen.pixels.allSatisfy { $0.count == 90 && !$0.contains { $0 == nil } })
    var error = 0
    for y in 0..<min(rows, screen.pixels.count) {
      for x in 0..<90 {
        guard let shown = screen.pixels[y][x] else { continue }
        let at = ((y * height / rows) * width + x * width / 90) * 3
        error += abs(shown.red - Int(image.pixels[at]))
        error += abs(shown.green - Int(image.pixels[at + 1]))
        error += abs(shown.blue - Int(image.pixels[at + 2]))
      }
    }
    // 256 colours for a gradient in two directions, three channels a pixel.
    #expect(Double(error) / Double(90 * rows * 3) < 6)
  }

  @Test("A picture larger than the terminal draws is divided into sixel images that fill its cells")
  func dividedSixels() throws {
    let image = try TestImages.gradient(320, 200)
    let cell = PixelSize(10, 20)
    let limit = PixelSize(995, 999)
    var writer = ScreenWriter(Capabilities(images: .sixel, cellPixels: cell, sixelLimit: limit))
    var buffer = CellBuffer(Size(200, 120))
    buffer.place(image, in: Rect(3, 2, 160, 101))
    let text = frame(&writer, buffer, budget: .max)
    var covered = Array(repeating: Array(repeating: 0, count: 200), count: 120)
    var count = 0
    let parts = text.components(separatedBy: "\u{1b}P")
    for part in parts.indices.dropFirst() {
      let place = try #require(parts[part - 1].components(separatedBy: "\u{1b}[").last)
      let numbers = place.dropLast().split(separator: ";").compactMap { Int($0) }
      let raster = try #require(parts[part].components(separatedBy: "\"").dropFirst().first)
        .prefix { $0.isNumber || $0 == ";" }.split(separator: ";").compactMap { Int($0) }
      let (width, height) = (raster[2], raster[3])
      #expect(width <= limit.width && height <= limit.height)
      for row in 0..<height / cell.height {
        for column in 0..<width / cell.width {
          covered[numbers[0] - 1 + row][numbers[1] - 1 + column] += 1
        }
      }
      count += 1
    }
    #expect(count == 6)
    for row in 0..<120 {
      for column in 0..<200 {
        let isInside = (2..<103).contains(row) && (3..<163).contains(column)
        #expect(covered[row][column] == (isInside ? 1 : 0))
      }
    }
  }

  @Test("a picture stays without a byte, and is painted again where something was over it")
  func again() throws {
    let image = try TestImages.gradient(50, 30)
    var writer = ScreenWriter(Capabilities(images: .sixel, cellPixels: PixelSize(10, 20)))
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(3, 2, 6, 3))
    #expect(frame(&writer, buffer).contains("\u{1b}P"))
    #expect(frame(&writer, buffer).isEmpty)
    var covered = buffer
    covered.write("menu", at: Point(3, 2))
    #expect(frame(&writer, covered).contains("menu"))
    let back = frame(&writer, buffer)
    #expect(back.contains("\u{1b}[3;4H\u{1b}P"))
    // Away: its cells are blanked.
    let gone = frame(&writer, CellBuffer(Size(40, 20)))
    #expect(!gone.contains("\u{1b}P") && gone.contains("\u{1b}[K"))
  }

  @Test("a picture leaves the last row of the screen out, where xterm would scroll")
  func lastRow() throws {
    var writer = ScreenWriter(Capabilities(images: .sixel, cellPixels: PixelSize(10, 20)))
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(try TestImages.gradient(50, 30), in: Rect(3, 17, 6, 3))
    #expect(frame(&writer, buffer).contains("\"1;1;60;40#"))
  }

  @Test("many pictures come a few a turn")
  func turns() throws {
    var writer = ScreenWriter(Capabilities(images: .iTerm2, cellPixels: PixelSize(10, 20)))
    var buffer = CellBuffer(Size(40, 20))
    for index in 0..<4 {
      buffer.place(try TestImages.noise(40, 40), in: Rect(index * 10, 2, 6, 3))
    }
    var turns = 0
    var painted = 0
    repeat {
      let text = frame(&writer, buffer, budget: 1000)
      painted += text.split(separator: "]1337;").count - 1
      turns += 1
    } while writer.needsAnotherFrame && turns < 10
    #expect(turns == 4 && painted == 4)
  }
}
