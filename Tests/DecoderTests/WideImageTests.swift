import Decoding
import Rendering
import RenderingPoppler
import TestSupport
import Testing

/// cairo holds no image with a side of more than 32,767 pixels, and poppler leaves out such an image without an error.
@Suite("An image of a PDF that cairo cannot hold") struct WideImageTests {
  private static let tone: UInt8 = 0x40

  /// An image XObject of one tone, or a stencil that paints everything.
  private static func image(_ width: Int, _ height: Int, _ rest: String = "/ColorSpace /DeviceGray")
    -> String
  {
    let isStencil = rest.contains("/ImageMask")
    let bytes = isStencil ? (width + 7) / 8 * height : width * height
    // Runs of 128 bytes.
    let runs = String(repeating: isStencil ? "8100" : "8140", count: bytes / 128 + 1) + "80>"
    return TestPDF.stream(
      runs,
      "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) "
        + "/BitsPerComponent \(isStencil ? 1 : 8) /Filter [/ASCIIHexDecode /RunLengthDecode] \(rest)"
    )
  }

  private static let stencil = "/ImageMask true"
  private static let draw = "100 0 0 100 0 0 cm /I Do"
  private static let image5 = "/XObject << /I 5 0 R >>"
  private static let image6 = "/Resources << /XObject << /I 6 0 R >> >>"

  private static func page(_ images: String...) -> [UInt8] {
    TestPDF.page(draw, resources: image5, others: images)
  }

  private static let form = TestPDF.page(
    "/I Do", resources: image5,
    others: [
      TestPDF.stream(draw, "/Type /XObject /Subtype /Form /BBox [0 0 100 100] \(image6)"),
      image(40_000, 40),
    ])

  private static let pattern = TestPDF.page(
    "/Pattern cs /P scn 0 0 100 100 re f", resources: "/Pattern << /P 5 0 R >>",
    others: [
      TestPDF.stream(
        draw,
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 100 100] "
          + "/XStep 100 /YStep 100 \(image6)"), image(40_000, 40),
    ])

  private static let inline = TestPDF.page(
    "100 0 0 100 0 0 cm BI /W 40000 /H 1 /CS /G /BPC 1 /F /AHx ID "
      + String(repeating: "00", count: 5_000) + "> EI")

  private func decode(_ file: [UInt8], limits: RenderLimits = RenderLimits()) throws -> DecodedPage
  {
    let decoder = try PopplerDecoder()
    return try file.asSource(limits: limits) { try decoder.decode($0, page: 0, side: 100) }
  }

  private func middle(_ page: DecodedPage) -> UInt8 {
    let plane = page.raster.planes[0]
    return plane.bytes[plane.height / 2 * plane.rowBytes + plane.width / 2 * 4]
  }

  @Test(
    "is reduced and drawn, wherever the page has it",
    arguments: [
      ("directly", page(image(40_000, 40))), ("upright", page(image(40, 40_000))),
      ("within the limit", page(image(32_760, 40))), ("form", form), ("pattern", pattern),
    ])
  func drawn(_ place: String, _ file: [UInt8]) throws {
    let page = try decode(file)
    #expect(page.damage == nil && page.remark == nil, "\(place): \(page.remark ?? "")")
    #expect(abs(Int(middle(page)) - Int(Self.tone)) <= 2, "\(place)")
  }

  @Test(
    "is named if it is not drawn, as are masks and stencils",
    arguments: [
      ("soft mask", page(image(1, 1, "/ColorSpace /DeviceGray /SMask 6 0 R"), image(40_000, 4))),
      ("mask", page(image(2, 2, "/ColorSpace /DeviceGray /Mask 6 0 R"), image(40_000, 4, stencil))),
      ("stencil", page(image(40_000, 4, stencil))), ("one row", page(image(40_000, 1))),
      ("inline", inline),
    ])
  func named(_ place: String, _ file: [UInt8]) throws {
    let page = try decode(file)
    #expect(page.damage == nil, "\(place)")
    #expect(
      page.remark
        == "an image or a mask with a side of 40000 pixels is missing: cairo draws at most 32767",
      "\(place): \(page.remark ?? "")")
  }

  @Test("is called doubtful if only the scale decides whether it is drawn")
  func doubtful() throws {
    let drawn = try decode(Self.page(Self.image(32_600, 4, Self.stencil)))
    #expect(drawn.remark?.contains("32600 pixels may be missing") == true, "\(drawn.remark ?? "")")
    let safe = try decode(Self.page(Self.image(32_500, 4, Self.stencil)))
    #expect(safe.remark == nil && middle(safe) == 0)
  }

  @Test("is named without an attempt if it exceeds the limit of pixels")
  func limit() throws {
    var limits = RenderLimits()
    limits.pixels = 40_000 * 40 - 1
    let page = try decode(Self.page(Self.image(40_000, 40)), limits: limits)
    #expect(page.remark?.contains("40000 pixels is missing") == true)
  }

  @Test("is not named on a page that does not draw it")
  func unused() throws {
    let file = TestPDF.page("0 g 0 0 100 100 re f", others: [Self.image(40_000, 40)])
    let page = try decode(file)
    #expect(page.remark == nil && middle(page) == 0)
  }
}
