import Testing

@testable import Terminal

/// What painters keep is bounded by the screen that they paint now.
@Suite struct PainterMemoryTests {
  private static let protocols: [ImageProtocol] = [
    .kitty, .kittyPlaceholders, .iTerm2, .sixel, .symbols, .ascii,
  ]

  private static func show(
    _ painter: inout any ImagePainter, _ image: Image?, _ size: Size
  ) {
    var buffer = CellBuffer(size)
    if let image { buffer.place(image, in: Rect(0, 0, size.columns, size.rows - 1)) }
    var output = Output()
    repeat {
      painter.prepare(&buffer, budget: .max, &output)
      painter.paint(buffer, budget: .max, &output)
    } while painter.needsAnotherFrame
  }

  /// The images that a value holds, however deep.
  private static func images(in value: Any) -> Int {
    if value is Image { return 1 }
    // Bytes and cells hold none, and there are many of them.
    if value is [UInt8] || value is ContiguousArray<Cell> { return 0 }
    return Mirror(reflecting: value).children.reduce(0) { $0 + images(in: $1.value) }
  }

  @Test(
    "the pixels of pictures that are not shown any more are not kept", arguments: protocols)
  func pixels(of way: ImageProtocol) throws {
    var painter = ImagePainters.painter(
      for: Capabilities(colours: .trueColour, images: way), isRemote: false)
    let size = Size(20, 10)
    for number in 1...5 { Self.show(&painter, try TestImages.gradient(16 * number, 32), size) }
    Self.show(&painter, nil, size)
    #expect(Self.images(in: painter) == 0)
  }

  @Test("what was drawn for a large screen is not kept for a small one")
  func symbols() throws {
    var painter = SymbolPainter(Capabilities(colours: .trueColour, images: .symbols))
    func show(_ count: Int, _ size: Size) throws {
      var output = Output()
      painter.screenWasErased(&output)
      for number in 1...count {
        var buffer = CellBuffer(size)
        buffer.place(
          try TestImages.flat(8, 8, (UInt8(number), 0, 0)),
          in: Rect(0, 0, size.columns, size.rows))
        painter.prepare(&buffer, budget: .max, &output)
      }
    }
    try show(60, Size(400, 120))
    #expect(painter.total <= 2_400_000)
    #expect(painter.total >= 40 * 400 * 120)
    try show(250, Size(20, 10))
    // Every step over 192 slices finds what it needs, and no more than that is kept.
    #expect((192 * 200...200 * 200).contains(painter.total))
  }
}
