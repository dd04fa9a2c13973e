import Models
import Rendering
import TestSupport
import Testing

/// Sizes that are none, and words of libraries that are none for people.
@Suite("Extents") struct ExtentTests {
  private static func svg(_ width: String, _ height: String, prolog: String = "") -> [UInt8] {
    Array(
      (prolog + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\">"
        + "<rect width=\"100%\" height=\"100%\" fill=\"#c85014\"/></svg>").utf8)
  }

  @Test(
    "an SVG larger than numbers of pixels are is refused by the limit",
    arguments: [("1000000000", "1000000000"), ("1e38", "1e38"), ("3000000000", "20")])
  func huge(_ width: String, _ height: String) async throws {
    let error = await #expect(throws: RenderError.self) {
      try await Shown(Self.svg(width, height))
    }
    #expect(error?.code == .limit, "\(error?.detail ?? "")")
    #expect(error?.detail.contains("limits.imageSide") == true)
  }

  @Test("an SVG of one pixel is one, and so is a line", arguments: [("1", "1"), ("1", "30")])
  func small(_ width: String, _ height: String) async throws {
    let shown = try await Shown(Self.svg(width, height))
    #expect(shown.info.width == 1 && shown.info.height == Int(height))
  }

  @Test("a line of many pixels is scaled, and does not vanish")
  func longLine() async throws {
    let vector = try await Shown(Self.svg("2", "6000"), side: 100)
    #expect((vector.pixels.width, vector.pixels.height) == (1, 100))
    let pixels = try await Shown(
      TestJPEG.flat(width: 4_000, height: 3), side: 50, decoder: "vips")
    #expect((pixels.pixels.width, pixels.pixels.height) == (50, 1))
  }

  @Test("an SVG in UTF-16 is drawn", arguments: [true, false])
  func wide(hasMark: Bool) async throws {
    let text = Self.svg("20", "20", prolog: "<?xml version=\"1.0\" encoding=\"UTF-16\"?>")
    var bytes: [UInt8] = hasMark ? [0xff, 0xfe] : []
    for byte in text { bytes += [byte, 0] }
    #expect(ResourceFormat(sniffing: bytes) == .svg)
    let file = bytes
    #expect(try await Shown(file).info.width == 20)
  }

  @Test("an SVG behind a long prolog is shown")
  func late() async throws {
    let entities = (0..<40).map { "<!ENTITY ns\($0) \"http://example.com/\($0)/\">\n" }.joined()
    let prolog = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [\n\(entities)]>\n"
    let shown = try await Shown(Self.svg("20", "20", prolog: prolog))
    #expect(shown.info.format == .svg && shown.colour(9, 9) == [200, 80, 20, 255])
  }

  @Test("a broken SVG has a reason without the numbers of a library")
  func words() async throws {
    let error = await #expect(throws: RenderError.self) {
      try await Shown(
        Array(String(decoding: Self.svg("20", "20"), as: UTF8.self).utf8.dropLast(4))
          + Array("rect>".utf8))
    }
    #expect(error?.detail.contains("Error domain") == false, "\(error?.detail ?? "")")
    #expect(error?.detail.contains("line 1") == true, "\(error?.detail ?? "")")
  }

  @Test("a JPEG cut before its frame ends too early")
  func cut() async throws {
    let error = await #expect(throws: RenderError.self) {
      try await Shown(Array(TestJPEG.flat(width: 40, height: 40).prefix(20)))
    }
    #expect(error?.code == .truncated, "\(error?.detail ?? "")")
  }
}
