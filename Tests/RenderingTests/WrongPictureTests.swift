import Models
import RenderMessages
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// A wrong picture that looks finished is worse than an error.
@Suite("Pictures that are easily shown wrongly") struct WrongPictureTests {
  private static let colours: [[UInt8]] = [[200, 80, 20], [10, 60, 130], [128, 128, 128]]

  @Test("a profile for grey in a file with colours is ignored, and no transparency appears")
  func greyProfile() async throws {
    let jpeg = TestJPEG.squares(
      Self.colours, transform: TestJPEG.Transform.none, profile: TestProfile.grey)
    let row = Self.colours.flatMap { colour in (0..<8).flatMap { _ in colour } }
    let profile = Array("p\0\0".utf8) + TestPicture.zlib(TestProfile.grey)
    let png = TestPicture.png(
      width: Self.colours.count * 8, height: 8, depth: 8, type: 2,
      chunks: TestPicture.chunk("iCCP", profile), data: (0..<8).flatMap { _ in [0] + row })
    for file in [jpeg, png] {
      let shown = try await Shown(file)
      #expect(!shown.info.hasAlpha)
      for (index, colour) in Self.colours.enumerated() {
        #expect(distance(shown.colour(index * 8 + 4, 4), colour + [255]) <= 1)
      }
    }
  }

  /// As libvips and LittleCMS convert it with the perceptual intent.
  @Test("a profile with a table for a single intent is applied")
  func perceptualProfile() async throws {
    let file = TestJPEG.squares(
      [[255, 0, 0], [0, 0, 255], [255, 255, 255]], transform: TestJPEG.Transform.none,
      profile: TestProfile.perceptual)
    let squares = try await Shown(file).squares
    let expected: [[UInt8]] = [[0, 1, 254], [255, 0, 0], [255, 255, 255]]
    for (found, colour) in zip(squares, expected) {
      #expect(distance(found, colour) <= 3, "\(found)")
    }
  }

  /// White where nothing is drawn, as pdftocairo 22.12 draws it.
  @Test("a page with a knockout group and a soft mask has a white ground")
  func knockout() async throws {
    let group = TestPDF.stream(
      "0 0.6 0 rg 10 20 30 50 re f /S gs 0 0 1 rg 60 20 30 50 re f",
      "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /ExtGState << /S 6 0 R >> >> "
        + "/Group << /S /Transparency /CS /DeviceRGB /I true /K true >>")
    let mask = TestPDF.stream(
      "0.5 g 0 0 100 100 re f",
      "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Group << /S /Transparency /CS /DeviceGray >>"
    )
    let file = TestPDF.page(
      "/G Do", resources: "/XObject << /G 5 0 R >>",
      others: [
        group, "<< /Type /ExtGState /SMask << /S /Luminosity /G 7 0 R /BC [0] >> >>", mask,
      ])
    let shown = try await Shown(file, side: 100)
    #expect(shown.colour(5, 5) == [255, 255, 255, 255])
    #expect(shown.colour(50, 50) == [255, 255, 255, 255])
    #expect(distance(shown.colour(25, 50), [0, 153, 0, 255]) <= 3, "\(shown.colour(25, 50))")
    #expect(distance(shown.colour(75, 50), [128, 128, 255, 255]) <= 6, "\(shown.colour(75, 50))")
  }

  @Test("an image of a page that is too wide for cairo is reduced, or said to be missing")
  func wideImage() async throws {
    func file(_ width: Int, _ height: Int) -> [UInt8] {
      let image = TestPDF.stream(
        String(repeating: "00", count: (width + 7) / 8 * height) + ">",
        "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /ColorSpace /DeviceGray "
          + "/BitsPerComponent 1 /Filter /ASCIIHexDecode")
      return TestPDF.page(
        "100 0 0 100 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>", others: [image])
    }
    let row = try await Shown(file(40_000, 1), side: 100)
    #expect(row.damage == nil && row.remark?.contains("40000 pixels is missing") == true)
    for width in [30_000, 40_000] {
      let shown = try await Shown(file(width, 20), side: 100)
      #expect(shown.damage == nil && shown.remark == nil)
      #expect(shown.colour(50, 50) == [0, 0, 0, 255])
    }
  }

  @Test("the thumbnail of a tiny image has the colours of its pixels")
  func tiny() async throws {
    let palette: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 0, 0]]
    let file = TestPicture.png(width: 6, height: 6) { x, y in
      let colour = palette[(x + y * 2) % palette.count]
      return (colour[0], colour[1], colour[2], 255)
    }
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    let folder = try ScratchFolder()
    let result = try await renderer.render(
      RenderJob(path: try folder.file("tiny.png", file), sides: [256], quality: 80))
    await renderer.shutdown()
    let thumbnail = try await Shown(try #require(result.renditions.first).bytes)
    for y in 0..<6 {
      for x in 0..<6 {
        #expect(thumbnail.colour(x, y) == palette[(x + y * 2) % palette.count] + [255])
      }
    }
  }

  @Test("the thumbnail of a long, thin image keeps the colours of neighbouring rows apart")
  func thin() async throws {
    let palette: [[UInt8]] = [[255, 0, 0], [0, 0, 255], [0, 255, 0]]
    let file = TestPicture.png(width: 1_024, height: 12) { _, y in
      (palette[y / 4][0], palette[y / 4][1], palette[y / 4][2], 255)
    }
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    let folder = try ScratchFolder()
    let result = try await renderer.render(
      RenderJob(path: try folder.file("thin.png", file), sides: [1_024, 256], quality: 80))
    await renderer.shutdown()
    for rendition in result.renditions {
      let shown = try await Shown(rendition.bytes, side: 1_024)
      for (index, colour) in palette.enumerated() {
        let found = Array(shown.colour(100, shown.pixels.height * (2 * index + 1) / 6).prefix(3))
        #expect(distance(found, colour) <= 60, "\(rendition.width): \(found), not \(colour)")
      }
    }
  }
}
