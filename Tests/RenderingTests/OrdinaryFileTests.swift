import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// Files that other programs open without a word are no failures here.
@Suite("Ordinary files") struct OrdinaryFileTests {
  private static let grey: [UInt8] = [0, 40, 80, 120, 0, 160, 200, 240]

  /// Grey, 3 × 2 pixels, with extra chunks.
  private static func png(_ chunks: [UInt8] = [], more: [UInt8] = []) -> [UInt8] {
    TestPicture.png(
      width: 3, height: 2, depth: 8, type: 0, chunks: chunks, data: grey, more: more)
  }

  private static func broken(_ chunk: [UInt8]) -> [UInt8] {
    chunk.dropLast() + [(chunk.last ?? 0) ^ 255]
  }

  @Test(
    "a PNG whose chunks beside the pixels are broken is a picture",
    arguments: [
      ("a profile that does not unpack", TestPicture.chunk("iCCP", Array("a\0\0no zlib".utf8)), []),
      ("a profile without a name", TestPicture.chunk("iCCP", [0, 0]), []),
      (
        "a profile that is none",
        TestPicture.chunk("iCCP", Array("a\0\0".utf8) + TestPicture.zlib([1, 2, 3])), []
      ),
      ("a wrong checksum of a text", broken(TestPicture.chunk("tEXt", Array("a\0b".utf8))), []),
      ("a wrong checksum of a profile", broken(TestPicture.chunk("iCCP", [97, 0, 0, 1])), []),
      ("a gamma of three bytes", TestPicture.chunk("gAMA", [1, 2, 3]), []),
      ("a time after the pixels", [], broken(TestPicture.chunk("tIME", [7, 1, 1, 1, 1, 1, 1]))),
      ("a broken EXIF block", TestPicture.chunk("eXIf", [1, 2, 3]), []),
      (
        "an animation of four billion frames that are not there",
        TestPicture.chunk("acTL", [255, 255, 255, 255, 0, 0, 0, 0]), []
      ),
      ("an animation of no frames", TestPicture.chunk("acTL", [0, 0, 0, 0, 0, 0, 0, 0]), []),
    ] as [(String, [UInt8], [UInt8])])
  func chunks(_ what: String, _ before: [UInt8], _ after: [UInt8]) async throws {
    let shown = try await Shown(Self.png(before, more: after))
    #expect(shown.damage == nil)
    #expect(shown.colour(1, 1) == [200, 200, 200, 255])
  }

  @Test("a BigTIFF is a TIFF")
  func bigTIFF() async throws {
    for isBig in [false, true] {
      let shown = try await Shown(
        TestTIFF.grey(width: 10, height: 9, tone: 77, isBig: isBig))
      #expect((shown.info.format, shown.info.width, shown.info.height) == (.tiff, 10, 9))
      #expect(shown.damage == nil)
      #expect(shown.colour(4, 8) == [77, 77, 77, 255])
    }
  }

  @Test(
    "a GIF with data behind its end is a picture",
    arguments: [
      [0], [0x3b, 0x3b], Array("<html>".utf8), [0x2c] + [UInt8](repeating: 255, count: 40),
      [0x21, 0xfe, 5, 1, 2],
    ] as [[UInt8]])
  func gif(_ junk: [UInt8]) async throws {
    let palette: [[UInt8]] = [[250, 10, 20], [0, 90, 240], [255, 255, 255], [0, 0, 0]]
    for count in [1, 2] {
      let frames: [[UInt8]] = [[0, 1, 1, 0, 0, 2], [2, 2, 2, 2, 2, 2]]
      let file = TestGIF.file(
        width: 3, height: 2, palette: palette, frames: Array(frames.prefix(count)))
      let shown = try await Shown(file + junk)
      #expect(shown.damage == nil)
      #expect(shown.colour(1, 0) == [0, 90, 240, 255])
    }
  }

  /// VP8L, one pixel: red 200, green 10, blue 20.
  private static let webPPixel: [UInt8] = [
    0x56, 0x50, 0x38, 0x4c, 17, 0, 0, 0, 47, 0, 0, 0, 0, 7, 80, 133, 34, 151, 162, 255, 129, 136,
    232, 127, 0, 0,
  ]

  private static func webP(width: Int, height: Int, frames: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(body.count, 4) + body
    }
    let frame = chunk("ANMF", number(0, 12) + number(100, 3) + [0] + webPPixel)
    let body =
      Array("WEBP".utf8)
      + chunk("VP8X", [2, 0, 0, 0] + number(width - 1, 3) + number(height - 1, 3))
      + chunk("ANIM", number(0, 6)) + Array(repeatElement(frame, count: frames).joined())
    return chunk("RIFF", body)
  }

  @Test(
    "an animation of any length is a picture: its first frame",
    arguments: [
      HeaderBombTests.gif(width: 64, height: 64, frames: 300_000),
      HeaderBombTests.gif(width: 2_000, height: 2_000, frames: 500),
      webP(width: 64, height: 64, frames: 5_000), webP(width: 2_000, height: 2_000, frames: 500),
    ])
  func longAnimation(_ file: [UInt8]) async throws {
    let shown = try await Shown(file)
    #expect(shown.info.isAnimated && shown.info.pageCount == 1)
    #expect(shown.damage == nil)
    #expect([64, 2_000].contains(shown.info.width))
  }

  @Test(
    "a webtoon and a picture of a telephone are within the limits, row by row",
    arguments: [(800, 25_000), (12_000, 9_000)])
  func large(_ width: Int, _ height: Int) async throws {
    let jpeg = try await Shown(TestJPEG.flat(width: width, height: height))
    #expect((jpeg.info.width, jpeg.info.height) == (width, height))
    #expect(max(jpeg.pixels.width, jpeg.pixels.height) == 256)
    guard width == 800 else { return }
    // The PNG has one bit per pixel, so that its 20 million pixels take the test only 2.5 MB.
    let row = [UInt8](repeating: 0, count: 1 + (width + 7) / 8)
    let png = try await Shown(
      TestPicture.png(
        width: width, height: height, depth: 1, type: 0,
        data: Array(repeatElement(row, count: height).joined())))
    #expect((png.info.width, png.info.height) == (width, height))
    #expect(png.colour(3, 3) == [0, 0, 0, 255])
  }
}
