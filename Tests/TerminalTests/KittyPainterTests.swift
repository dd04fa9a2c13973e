import TestSupport
import Testing

@testable import Terminal

@Suite struct KittyPainterTests {
  /// A screen and what a terminal shows of it.
  private struct Rig {
    var writer: ScreenWriter
    var screen = GraphicsScreen()
    var bytes = 0

    init(_ capabilities: Capabilities = Capabilities(images: .kitty), isRemote: Bool = false) {
      writer = ScreenWriter(capabilities, isRemote: isRemote)
    }

    mutating func show(_ buffer: CellBuffer, budget: Int = 1 << 20) throws {
      var output = Output()
      writer.write(buffer, budget: budget, &output)
      bytes = output.count
      try screen.write(output.bytes)
    }
  }

  @Test("the terminal gets the pixels as they are", arguments: [false, true], [false, true])
  func pixels(alpha: Bool, isRemote: Bool) throws {
    let original = try TestImages.gradient(123, 45, alpha: alpha)
    var rig = Rig(isRemote: isRemote)
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(original, in: Rect(3, 2, 12, 5))
    try rig.show(buffer)
    let image = try #require(rig.screen.images.values.first)
    #expect(image.pixels == original.pixels)
    #expect((image.width, image.height) == (123, 45))
    #expect(
      Array(rig.screen.placements.values)
        == [.init(rect: Rect(3, 2, 12, 5), source: PixelRect(0, 0, 123, 45))])
    #expect(rig.screen.errors.isEmpty)
  }

  @Test("pixels are sent once; panning, zooming and moving cost some hundred bytes")
  func sentOnce() throws {
    let image = try TestImages.noise(300, 300)
    var rig = Rig()
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(0, 0, 30, 15))
    try rig.show(buffer)
    #expect(rig.bytes > 300 * 300 * 3)
    for step in 1..<20 {
      var next = CellBuffer(Size(40, 20))
      next.place(
        image, in: Rect(step % 7, 0, 30, 15),
        source: PixelRect(step * 5, step * 3, 200 - step, 200 - step))
      try rig.show(next)
      #expect(rig.bytes < 400)
      #expect(rig.screen.placements.count == 1)
    }
    #expect(rig.screen.errors.isEmpty)
  }

  @Test("text over an image divides it into rectangles, each with its part of the pixels")
  func covered() throws {
    let image = try TestImages.gradient(100, 100)
    var rig = Rig()
    var buffer = CellBuffer(Size(20, 20))
    buffer.place(image, in: Rect(5, 5, 10, 10))
    buffer.write("menu", at: Point(8, 9))
    try rig.show(buffer)
    let places = Set(rig.screen.placements.values)
    #expect(
      places == [
        .init(rect: Rect(5, 5, 10, 4), source: PixelRect(0, 0, 100, 40)),
        .init(rect: Rect(5, 9, 3, 1), source: PixelRect(0, 40, 30, 10)),
        .init(rect: Rect(12, 9, 3, 1), source: PixelRect(70, 40, 30, 10)),
        .init(rect: Rect(5, 10, 10, 5), source: PixelRect(0, 50, 100, 50)),
      ])
  }

  @Test("an image half outside of the screen or of a clip shows the half inside")
  func clipped() throws {
    let image = try TestImages.gradient(80, 40)
    var rig = Rig()
    var buffer = CellBuffer(Size(20, 10))
    buffer.place(image, in: Rect(-4, -2, 8, 4))
    buffer.clipped(to: Rect(10, 0, 4, 10)) { $0.place(image, in: Rect(10, 4, 8, 4)) }
    try rig.show(buffer)
    #expect(
      Set(rig.screen.placements.values) == [
        .init(rect: Rect(0, 0, 4, 2), source: PixelRect(40, 20, 40, 20)),
        .init(rect: Rect(10, 4, 4, 4), source: PixelRect(0, 0, 40, 40)),
      ])
    #expect(rig.screen.images.count == 1)
  }

  @Test("a large image is sent in parts; frames between them are not delayed")
  func turns() throws {
    let image = try TestImages.noise(200, 200)
    var rig = Rig()
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(0, 1, 20, 10))
    var turns = 0
    repeat {
      buffer.write("turn \(turns)", at: Point(0, 0))
      try rig.show(buffer, budget: 16_384)
      #expect(rig.bytes < 24_000)
      turns += 1
    } while rig.writer.needsAnotherFrame && turns < 100
    #expect(turns == 10)
    #expect(rig.screen.images.values.first?.pixels == image.pixels)
    #expect(rig.screen.placements.count == 1)
  }

  @Test("an image that is removed before it was sent is dropped, and the next one is sent")
  func givenUp() throws {
    let large = try TestImages.noise(300, 300)
    let small = try TestImages.gradient(20, 20)
    var rig = Rig()
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(large, in: Rect(0, 0, 20, 10))
    try rig.show(buffer, budget: 10_000)
    #expect(rig.writer.needsAnotherFrame)
    buffer = CellBuffer(Size(40, 20))
    buffer.place(small, in: Rect(0, 0, 20, 10))
    try rig.show(buffer, budget: 10_000)
    #expect(!rig.writer.needsAnotherFrame)
    #expect(rig.screen.images.values.map(\.pixels) == [small.pixels])
    #expect(rig.screen.placements.count == 1)
  }

  @Test("random screens of images show the expected pixels", arguments: 0..<20)
  func random(seed: Int) throws {
    var random = RandomScreen(generator: SeededGenerator(seed: UInt64(seed)))
    let images = try (1...5).map { try TestImages.gradient(30 * $0, 50, alpha: $0 == 3) }
    var rig = Rig()
    let size = Size(30, 12)
    for step in 0..<60 {
      var buffer = CellBuffer(size)
      for _ in 0..<Int.random(in: 0...4, using: &random.generator) {
        guard let image = images.randomElement(using: &random.generator) else { continue }
        buffer.place(image, in: random.rect(size))
        buffer.write("x", at: Point(Int.random(in: 0..<30, using: &random.generator), 5))
      }
      let budget = Bool.random(using: &random.generator) ? 3000 : 1 << 20
      try rig.show(buffer, budget: budget)
      var turns = 0
      while rig.writer.needsAnotherFrame, turns < 200, step % 3 != 0 {
        try rig.show(buffer, budget: budget)
        turns += 1
      }
      guard !rig.writer.needsAnotherFrame else { continue }
      let wanted = ImageFragment.visible(in: buffer).map {
        GraphicsScreen.Place(rect: $0.rect, source: $0.source)
      }
      #expect(Set(rig.screen.placements.values) == Set(wanted), "seed \(seed), step \(step)")
      #expect(rig.screen.errors.isEmpty)
    }
  }

  @Test("an image that the terminal has evicted is sent again, but not for ever")
  func refused() throws {
    let image = try TestImages.gradient(20, 20)
    var rig = Rig()
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(image, in: Rect(0, 0, 20, 10))
    try rig.show(buffer)
    for refusal in 1...4 {
      guard let number = rig.screen.images.keys.max() else { break }
      rig.writer.terminalRefused(image: number, message: "ENOENT")
      #expect(rig.writer.needsAnotherFrame == (refusal < 4))
      try rig.show(buffer)
      #expect(!rig.writer.needsAnotherFrame)
    }
    #expect(rig.screen.images.count == 3)
  }

  @Test("at the end the terminal holds no image")
  func end() throws {
    let images = try (1...3).map { try TestImages.gradient(10 * $0, 10) }
    var rig = Rig()
    var buffer = CellBuffer(Size(40, 20))
    for (index, image) in images.enumerated() {
      buffer.place(image, in: Rect(index * 5, 0, 5, 5))
    }
    try rig.show(buffer)
    #expect(rig.screen.images.count == 3)
    var output = Output()
    rig.writer.finish(&output)
    try rig.screen.write(output.bytes)
    #expect(rig.screen.images.isEmpty && rig.screen.placements.isEmpty)
  }

  @Test(
    "an image that is added while another one is sent is sent as well, without another frame",
    arguments: [ImageProtocol.kitty, .kittyPlaceholders])
  func beforeOneOnItsWay(way: ImageProtocol) throws {
    let images = try (0..<4).map { try TestImages.noise(150 + $0, 150) }
    var rig = Rig(Capabilities(colours: .trueColour, images: way))
    func buffer(_ shown: [Int]) -> CellBuffer {
      var buffer = CellBuffer(Size(40, 20))
      for number in shown { buffer.place(images[number], in: Rect(number * 10, 0, 9, 9)) }
      return buffer
    }
    // The last one begins; then all are there, in the order of their places.
    try rig.show(buffer([3]), budget: 4_096)
    #expect(rig.writer.needsAnotherFrame)
    var turns = 0
    repeat {
      try rig.show(buffer([0, 1, 2, 3]), budget: 16_384)
      turns += 1
    } while rig.writer.needsAnotherFrame && turns < 200
    #expect(rig.screen.images.count == 4)
    if way == .kitty { #expect(rig.screen.placements.count == 4) }
    #expect(rig.screen.errors.isEmpty)
  }

  // MARK: - Until an image is there

  @Test(
    "the previous image stays until the next one is sent, for any shape",
    arguments: [Rect(10, 1, 20, 15), Rect(2, 5, 36, 8), Rect(12, 3, 10, 10)])
  func noHole(rect: Rect) throws {
    let size = Size(40, 20)
    var rig = Rig()
    var buffer = CellBuffer(size)
    buffer.write("one", at: Point(0, 0))
    buffer.place(try TestImages.noise(200, 150), in: Rect(10, 1, 20, 15))
    try rig.show(buffer)
    let first = Array(rig.screen.placements.values)
    let second = try TestImages.noise(210, 160)
    buffer = CellBuffer(size)
    buffer.write("two", at: Point(0, 0))
    buffer.place(second, in: rect)
    var turns = 0
    repeat {
      try rig.show(buffer, budget: 16_384)
      turns += 1
      if rig.writer.needsAnotherFrame {
        #expect(Array(rig.screen.placements.values) == first)
      }
    } while rig.writer.needsAnotherFrame && turns < 100
    #expect(turns > 3)
    #expect(
      Array(rig.screen.placements.values)
        == [.init(rect: rect, source: PixelRect(0, 0, 210, 160))])
    // Nothing was sent twice.
    #expect(rig.screen.commands < 70)
    #expect(rig.screen.errors.isEmpty)
  }

  @Test("within one frame, the new image is placed before the old one is removed")
  func placedFirst() throws {
    var rig = Rig()
    for number in 1...3 {
      var buffer = CellBuffer(Size(40, 20))
      buffer.place(try TestImages.gradient(30 * number, 50), in: Rect(1, 1, 20, 10))
      var output = Output()
      rig.writer.write(buffer, budget: 1 << 20, &output)
      let text = String(decoding: output.bytes, as: UTF8.self)
      let placing = try #require(text.firstRange(of: "a=p,"))
      if number > 1 {
        let removal = try #require(text.firstRange(of: "a=d,d=i,"))
        #expect(placing.lowerBound < removal.lowerBound)
      }
      try rig.screen.write(output.bytes)
    }
  }

  @Test("the old image is removed at once where text is written, or another image is")
  func textGoesFirst() throws {
    let size = Size(40, 20)
    let known = try TestImages.gradient(20, 20)
    for other in [true, false] {
      var rig = Rig()
      var buffer = CellBuffer(size)
      buffer.place(known, in: Rect(30, 0, 5, 5))
      buffer.place(try TestImages.gradient(100, 80), in: Rect(5, 5, 20, 10))
      try rig.show(buffer)
      buffer = CellBuffer(size)
      buffer.place(try TestImages.noise(200, 200), in: Rect(5, 8, 20, 10))
      if other {
        buffer.place(known, in: Rect(5, 5, 5, 2))
      } else {
        buffer.write("Loading", at: Point(5, 6))
      }
      try rig.show(buffer, budget: 4_096)
      #expect(rig.writer.needsAnotherFrame)
      #expect(Array(rig.screen.placements.values.map(\.rect)) == (other ? [Rect(5, 5, 5, 2)] : []))
      #expect(rig.screen.errors.isEmpty)
    }
  }

  @Test("an image that is never sent does not keep the old one on the screen")
  func refusedForGood() throws {
    var rig = Rig()
    let second = try TestImages.gradient(40, 40)
    var buffer = CellBuffer(Size(40, 20))
    buffer.place(second, in: Rect(0, 0, 20, 10))
    for _ in 0...3 {
      try rig.show(buffer)
      if let number = rig.screen.images.keys.max() {
        rig.writer.terminalRefused(image: number, message: "ENOSPC")
      }
    }
    try rig.show(buffer)
    var former = CellBuffer(Size(40, 20))
    former.place(try TestImages.gradient(20, 20), in: Rect(0, 0, 20, 10))
    try rig.show(former)
    let shown = rig.screen.placements.count
    try rig.show(buffer)
    #expect(rig.screen.placements.count == shown - 1)
  }
}
