import Models
import Rendering
import TestSupport
import Testing

/// M6: the kinds of PNG, by value, through confined workers.
@Suite("Kinds of PNG") struct PNGKindsTests {
  private static func samples(_ values: [UInt16]) -> [UInt8] {
    values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  @Test("16 bits a sample come out as the nearest of 8 bits")
  func sixteenBits() async throws {
    let colours: [[UInt16]] = [
      [0, 0, 0], [65_535, 65_535, 65_535], [0x1234, 0x80ff, 0xfe00],
      [257 * 40, 257 * 90, 257 * 200],
    ]
    let shown = try await Shown(
      TestPicture.png(
        width: 4, height: 1, depth: 16, type: 2, data: [0] + Self.samples(colours.flatMap { $0 })))
    for (x, colour) in colours.enumerated() {
      let expected = colour.map { UInt8((Double($0) / 257).rounded()) }
      #expect(distance(Array(shown.colour(x, 0).prefix(3)), expected) <= 1)
    }
  }

  @Test("16 bits with alpha keep the alpha")
  func sixteenBitsAlpha() async throws {
    let values: [UInt16] = [
      0xffff, 0x8000, 0, 0xffff, 0xffff, 0x8000, 0, 0x8000, 0xffff, 0xffff, 0xffff, 0,
    ]
    let shown = try await Shown(
      TestPicture.png(width: 3, height: 1, depth: 16, type: 6, data: [0] + Self.samples(values)))
    #expect(shown.info.hasAlpha)
    #expect((0..<3).map { shown.colour($0, 0)[3] } == [255, 128, 0])
    #expect(distance(shown.colour(0, 0), [255, 128, 0, 255]) <= 1)
    #expect(distance(shown.colour(1, 0), [255, 128, 0, 128]) <= 2)
  }

  @Test("a palette has the alpha of its tRNS chunk, and none where that ends")
  func palette() async throws {
    let chunks =
      TestPicture.chunk("PLTE", [255, 0, 0, 0, 200, 0, 10, 20, 250])
      + TestPicture.chunk("tRNS", [0, 128])
    // Two bits a pixel: 0, 1, 2, 2.
    let shown = try await Shown(
      TestPicture.png(
        width: 4, height: 1, depth: 2, type: 3, chunks: chunks, data: [0, 0b0001_1010]))
    #expect(shown.info.hasAlpha)
    #expect(shown.colour(0, 0)[3] == 0)
    #expect(distance(shown.colour(1, 0), [0, 200, 0, 128]) <= 2)
    #expect(shown.colour(2, 0) == [10, 20, 250, 255])
    #expect(shown.colour(3, 0) == [10, 20, 250, 255])
  }

  @Test("a palette without tRNS is opaque")
  func opaquePalette() async throws {
    let shown = try await Shown(
      TestPicture.png(
        width: 2, height: 1, depth: 1, type: 3,
        chunks: TestPicture.chunk("PLTE", [1, 2, 3, 250, 240, 230]), data: [0, 0b0100_0000]))
    #expect(!shown.info.hasAlpha)
    #expect(shown.colour(0, 0) == [1, 2, 3, 255] && shown.colour(1, 0) == [250, 240, 230, 255])
  }

  @Test("grey has the alpha of its samples, or of the one tone that its tRNS chunk names")
  func grey() async throws {
    let both = try await Shown(
      TestPicture.png(width: 2, height: 1, depth: 8, type: 4, data: [0, 100, 255, 200, 60]))
    #expect(both.colour(0, 0) == [100, 100, 100, 255])
    #expect(distance(both.colour(1, 0), [200, 200, 200, 60]) <= 3)
    let key = try await Shown(
      TestPicture.png(
        width: 2, height: 1, depth: 8, type: 0, chunks: TestPicture.chunk("tRNS", [0, 70]),
        data: [0, 70, 71]))
    #expect(key.info.hasAlpha)
    #expect(key.colour(0, 0)[3] == 0 && key.colour(1, 0) == [71, 71, 71, 255])
  }

  /// Two frames: a red one in the still image's place or not, and a blue one.
  private static func animated(stillIsFirst: Bool) -> [UInt8] {
    func control(_ sequence: Int) -> [UInt8] {
      // Width, height, offsets, a tenth of a second, no disposal, no blending.
      TestPicture.chunk(
        "fcTL",
        TestPicture.number(sequence) + TestPicture.number(2) + TestPicture.number(1)
          + TestPicture.number(0) + TestPicture.number(0) + [0, 1, 0, 10, 0, 0])
    }
    let blue = TestPicture.number(2) + TestPicture.zlib([0, 0, 0, 255, 0, 0, 255])
    let count = TestPicture.number(stillIsFirst ? 2 : 1) + TestPicture.number(0)
    return TestPicture.png(
      width: 2, height: 1, depth: 8, type: 2,
      chunks: TestPicture.chunk("acTL", count) + (stillIsFirst ? control(0) : []),
      data: [0, 255, 0, 0, 255, 0, 0], more: control(1) + TestPicture.chunk("fdAT", blue))
  }

  @Test("of an APNG the still image is shown", arguments: [true, false])
  func animation(_ stillIsFirst: Bool) async throws {
    let shown = try await Shown(Self.animated(stillIsFirst: stillIsFirst))
    #expect(shown.info.isAnimated && shown.info.pageCount == 1)
    #expect(shown.colour(0, 0) == [255, 0, 0, 255])
  }

  /// One row of red, green and blue with other chunks.
  private static func colours(_ chunks: [UInt8], end: [UInt8]? = nil) -> [UInt8] {
    let file = TestPicture.png(
      width: 3, height: 1, depth: 8, type: 2, chunks: chunks,
      data: [0, 250, 10, 20, 0, 200, 0, 10, 20, 128])
    return end.map { Array(file.dropLast(12)) + $0 } ?? file
  }

  @Test("that lack nothing but an intact end chunk or a palette of the right length are complete")
  func harmlessDamage() async throws {
    let end = TestPicture.chunk("IEND", [])
    let files: [(String, [UInt8])] = [
      (
        "a wrong checksum of the end", Self.colours([], end: Array(end.dropLast(4)) + [1, 2, 3, 4])
      ),
      ("an end with data", Self.colours([], end: TestPicture.chunk("IEND", [1, 2, 3]))),
      (
        "a long suggestion",
        Self.colours(TestPicture.chunk("PLTE", [UInt8](repeating: 9, count: 900)))
      ),
      ("an odd suggestion", Self.colours(TestPicture.chunk("PLTE", [1, 2, 3, 4]))),
    ]
    for (name, file) in files {
      let shown = try await Shown(file)
      #expect(shown.damage == nil, "\(name): \(shown.damage?.detail ?? "")")
      #expect(
        shown.colour(0, 0) == [250, 10, 20, 255] && shown.colour(2, 0) == [10, 20, 128, 255])
    }
    // 1 bit a pixel has two colours, whatever the palette states.
    let palette = TestPicture.chunk("PLTE", [255, 0, 0, 0, 0, 255, 9, 9, 9, 9])
    let long = try await Shown(
      TestPicture.png(width: 2, height: 1, depth: 1, type: 3, chunks: palette, data: [0, 0x40]))
    #expect(long.damage == nil)
    #expect(long.colour(0, 0) == [255, 0, 0, 255] && long.colour(1, 0) == [0, 0, 255, 255])
    // A wrong checksum of the palette is no such length.
    let wrong = try? await Shown(
      TestPicture.png(
        width: 2, height: 1, depth: 1, type: 3,
        chunks: Array(palette.dropLast()) + [palette[21] ^ 1],
        data: [0, 0x40]))
    #expect(wrong == nil || wrong?.damage != nil)
  }

  @Test("with damage in a chunk of text keep the gamma that another chunk states")
  func damageBesideGamma() async throws {
    let gamma = TestPicture.chunk("gAMA", [0, 1, 0x86, 0xa0])
    let text = TestPicture.chunk("tEXt", Array("Title\0x".utf8))
    let expected = try await Shown(Self.colours(gamma))
    #expect(expected.colour(2, 0) != [10, 20, 128, 255])
    let damaged: [UInt8] = Array(text.dropLast(4)) + [0, 0, 0, 0]
    for chunks in [damaged + gamma, gamma + damaged] {
      let shown = try await Shown(Self.colours(chunks))
      #expect(shown.damage == nil && shown.pixels.pixels == expected.pixels.pixels)
    }
  }
}
