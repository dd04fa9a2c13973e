import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// A damaged picture shows what could be decoded, grey where there was nothing, and says why.
@Suite("Damage") struct DamageTests {
  private static let grey: [UInt8] = [128, 128, 128, 255]

  /// 64 × 64 pixels of one colour, cut after a share of its bytes.
  private static func beginning(_ file: [UInt8], _ share: Double) -> [UInt8] {
    Array(file.prefix(Int(Double(file.count) * share)))
  }

  /// 24 bits, rows from the top.
  private static var bmp: [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("BM".utf8) + little(54 + 64 * 64 * 3, 4) + little(0, 4) + little(54, 4)
      + little(40, 4) + little(64, 4) + little(-64, 4) + little(1, 2) + little(24, 2)
      + little(0, 24) + (0..<(64 * 64)).flatMap { _ in [20, 80, 200] as [UInt8] }
  }

  @Test(
    "of a truncated file the existing rows are shown, and the others are grey",
    arguments: [
      ("PNG", beginning(TestPicture.png(width: 64, height: 64), 0.5), [200, 80, 20, 255]),
      ("BMP", beginning(bmp, 0.5), [200, 80, 20, 255]),
      (
        "TIFF", beginning(TestTIFF.grey(width: 64, height: 64, tone: 50), 0.5), [50, 50, 50, 255]
      ),
    ] as [(String, [UInt8], [UInt8])])
  func rows(_ format: String, _ file: [UInt8], _ colour: [UInt8]) async throws {
    let shown = try await Shown(file)
    #expect(shown.damage?.code == .truncated)
    #expect(shown.damage?.detail == "the \(format) file ends too early, a part of it is missing")
    #expect((shown.info.width, shown.info.height) == (64, 64))
    #expect(shown.colour(5, 5) == colour)
    #expect(shown.colour(60, 60) == Self.grey)
  }

  /// Red throughout.
  private static var gif: [UInt8] {
    TestGIF.file(
      width: 64, height: 64,
      palette: [[0, 0, 0], [200, 80, 20], [1, 2, 3], [255, 255, 255]],
      frames: [[UInt8](repeating: 1, count: 64 * 64)])
  }

  @Test("a GIF that is truncated, or has an invalid code, is shown up to that point")
  func gif() async throws {
    let whole = Self.gif
    var wrong = whole
    // The codes 7 7 7…: none of them is known yet.
    for index in (whole.count / 2)..<(whole.count / 2 + 6) { wrong[index] = 0xff }
    for (file, code) in [
      (Self.beginning(whole, 0.5), RenderError.Code.truncated), (wrong, .damaged),
    ] {
      let shown = try await Shown(file)
      #expect(shown.damage?.code == code, "\(shown.damage?.detail ?? "")")
      #expect((shown.info.width, shown.info.height) == (64, 64))
      #expect(shown.colour(5, 5) == [200, 80, 20, 255])
      #expect(shown.colour(60, 60) == Self.grey)
    }
    #expect(try await Shown(whole).damage == nil)
  }

  @Test(
    "of a damaged TIFF every intact strip and tile is shown",
    arguments: [TestTIFF.Division.strips(16), .tiles(16)])
  func strips(_ division: TestTIFF.Division) async throws {
    func file(_ damaged: Int?) -> [UInt8] {
      TestTIFF.divided(
        width: 64, height: 64, tone: 50, division, isCoded: true, damaged: damaged)
    }
    #expect(try await Shown(file(nil)).damage == nil)
    let tone: [UInt8] = [50, 50, 50, 255]
    let isTiled = if case .tiles = division { true } else { false }
    // The second line of them, and there the second tile.
    let shown = try await Shown(file(isTiled ? 5 : 1))
    #expect(shown.damage?.isDamage == true)
    #expect(
      shown.colour(5, 5) == tone && shown.colour(60, 60) == tone && shown.colour(24, 40) == tone)
    #expect(shown.colour(24, 24) == Self.grey)
    #expect(shown.colour(5, 24) == (isTiled ? tone : Self.grey))
  }

  @Test(
    "of a TIFF of any size that is truncated in its only strip the existing rows are shown")
  func onlyStrip() async throws {
    let whole = TestTIFF.divided(
      width: 64, height: 64, tone: 50, .strips(64), isCoded: false)
    for rows in [1, 20, 63] {
      let shown = try await Shown(Array(whole.dropLast((64 - rows) * 64)))
      #expect(shown.damage?.code == .truncated)
      #expect(shown.colour(5, rows - 1) == [50, 50, 50, 255] && shown.colour(5, rows) == Self.grey)
    }
    await #expect(throws: RenderError.self) { try await Shown(Array(whole.dropLast(64 * 64))) }
  }

  @Test("a PNG with a wrong checksum in its pixels is shown as damaged")
  func checksum() async throws {
    var file = TestPicture.png(width: 64, height: 64)
    let end = file.count - 12
    file[end - 1] ^= 255
    let shown = try await Shown(file)
    #expect(shown.damage?.code == .damaged)
    #expect(shown.colour(5, 5) == [200, 80, 20, 255])
  }

  @Test("a JPEG without most of its data is damaged, not complete, also with libvips")
  func jpeg() async throws {
    let squares = (0..<31).map { index -> [UInt8] in [UInt8(8 * index)] }
    let whole = TestJPEG.squares(squares)
    let start = try #require(
      whole.indices.dropLast().last { whole[$0...].starts(with: [0xff, 0xda]) })
    let data = start + 10
    let cut = Array(whole[..<(data + (whole.count - data) / 3)])
    for (decoder, file) in [
      ("auto", cut), ("auto", cut + [0xff, 0xd9]), ("vips", cut), ("vips", cut + [0xff, 0xd9]),
    ] {
      let shown = try await Shown(file, decoder: decoder)
      #expect(shown.damage?.isDamage == true, "\(decoder)")
      #expect(distance(Array(shown.colour(12, 4)), [8, 8, 8, 255]) <= 4, "\(decoder)")
    }
    // A harmless complaint comes first, and hides the others.
    let padded =
      [UInt8](whole[..<start]) + [1, 2, 3] + Array(cut[start...]) + [0xff, 0xd9]
    #expect(try await Shown(padded).damage?.code == .damaged)
    let harmless = whole.dropLast(2) + [0, 0, 0, 0] + whole.suffix(2)
    #expect(try await Shown(Array(harmless)).damage == nil)
  }

  @Test("a file without a single row is refused, and not shown as a grey image")
  func nothing() async throws {
    let png = TestPicture.png(width: 64, height: 64)
    let jpeg = TestJPEG.flat(width: 64, height: 64)
    for file in [Array(png.prefix(60)), Array(jpeg.dropLast(18))] {
      await #expect(throws: RenderError.self) { try await Shown(file) }
    }
  }
}
