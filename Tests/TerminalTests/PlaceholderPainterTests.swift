import Testing

@testable import Terminal

/// kitty's images as cells, as they go through tmux.
@Suite struct PlaceholderPainterTests {
  private static let inTmux = Capabilities(
    colours: .trueColour, images: .kittyPlaceholders, cellPixels: PixelSize(10, 20), isTmux: true)

  /// Cells that stand for images: image number, row and column.
  private func placeholders(_ bytes: [UInt8]) throws -> [Int: Set<Point>] {
    let terminal = try VirtualTerminal(Size(40, 20))
    terminal.write(bytes)
    var result: [Int: Set<Point>] = [:]
    for row in 0..<20 {
      for column in 0..<40 {
        let cell = terminal.cell(column, row)
        guard cell.scalars.first == 0x10eeee, cell.scalars.count == 3,
          let down = PlaceholderMarks.all.firstIndex(of: cell.scalars[1]),
          let across = PlaceholderMarks.all.firstIndex(of: cell.scalars[2]),
          let colour = cell.style.foreground.components
        else { continue }
        let number = (16...255).first { Palette.components(UInt8($0)) == colour }
        #expect(Point(column - across, row - down) == Point(3, 2))
        result[number ?? 0, default: []].insert(Point(across, down))
      }
    }
    return result
  }

  @Test("in tmux a picture is sent through it, and cells stand for its parts")
  func tmux() throws {
    let original = try TestImages.gradient(60, 60)
    var writer = ScreenWriter(Self.inTmux)
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(original, in: Rect(3, 2, 6, 3))
    buffer.write("x", at: Point(4, 3))
    var output = Output()
    writer.write(buffer, budget: 1 << 20, &output)
    var screen = GraphicsScreen()
    try screen.write(output.bytes)
    let (number, image) = try #require(screen.images.first)
    #expect(image.pixels == original.pixels)
    #expect(image.cells == Size(6, 3))
    let cells = try placeholders(output.bytes)
    var wanted: Set<Point> = []
    for row in 0..<3 { for column in 0..<6 { wanted.insert(Point(column, row)) } }
    wanted.remove(Point(1, 1))
    #expect(cells == [number: wanted])
  }

  @Test("more pictures than numbers: those not seen for longest make room")
  func numbers() throws {
    var writer = ScreenWriter(Self.inTmux)
    var screen = GraphicsScreen()
    for _ in 0..<300 {
      var buffer = CellBuffer(Size(40, 20))
      buffer.place(try TestImages.flat(4, 4, (1, 2, 3)), in: Rect(3, 2, 2, 1))
      var output = Output()
      writer.write(buffer, budget: 1 << 20, &output)
      try screen.write(output.bytes)
    }
    #expect(screen.images.count == 240)
    #expect(screen.errors.isEmpty)
  }

  @Test("no more pixels are sent than the cells have")
  func scaled() throws {
    let original = try TestImages.gradient(600, 600)
    var writer = ScreenWriter(Self.inTmux)
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(original, in: Rect(3, 2, 6, 3))
    var output = Output()
    writer.write(buffer, budget: 1 << 20, &output)
    var screen = GraphicsScreen()
    try screen.write(output.bytes)
    let image = try #require(screen.images.values.first)
    #expect((image.width, image.height) == (60, 60))
    // The mean of ten by ten pixels of the gradient.
    #expect(abs(Int(image.pixels[0]) - 1) <= 1 && abs(Int(image.pixels[59 * 3]) - 253) <= 1)
  }

  @Test("in tmux, too, the picture before stays until the next one is there")
  func noHoleInTmux() throws {
    var writer = ScreenWriter(Self.inTmux)
    let terminal = try VirtualTerminal(Size(40, 20))
    func show(_ image: Image, _ text: String) -> Bool {
      var buffer = CellBuffer(Size(40, 20))
      buffer.place(image, in: Rect(3, 2, 20, 10))
      buffer.write(text, at: Point(0, 0))
      var output = Output()
      writer.write(buffer, budget: 8_192, &output)
      terminal.write(output.bytes)
      return writer.needsAnotherFrame
    }
    /// The colours, which are the numbers of images, of all placeholders.
    func numbers() -> Set<Colour> {
      var numbers: Set<Colour> = []
      for row in 2..<12 {
        for column in 3..<23 {
          let cell = terminal.cell(column, row)
          guard cell.scalars.first == 0x10eeee else { return [] }
          numbers.insert(cell.style.foreground)
        }
      }
      return numbers
    }
    let first = try TestImages.noise(200, 200)
    while show(first, "one") {}
    let former = numbers()
    #expect(former.count == 1)
    let second = try TestImages.noise(200, 199)
    var turns = 0
    while show(second, "two"), turns < 100 {
      #expect(numbers() == former)
      turns += 1
    }
    #expect(turns > 2)
    #expect(numbers().count == 1 && numbers() != former)
  }
}
