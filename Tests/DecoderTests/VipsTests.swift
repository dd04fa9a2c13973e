import Decoding
import Models
import Rendering
import RenderingCodecs
import TestSupport
import Testing
@testable import RenderingVips

/// One after another: libvips keeps its complaints in one place for all threads.
@Suite("libvips", .serialized) struct VipsTests {
  @Test("opens GIF")
  func gif() throws {
    let page = try Fixtures.gif.asSource { try VipsDecoder().decode($0, page: 0, side: 4) }
    #expect((page.info.width, page.info.height, page.info.isAnimated) == (4, 3, false))
    let first = page.raster.planes[0].bytes.prefix(8)
    #expect(Array(first) == [255, 0, 0, 255, 0, 0, 255, 255])
  }

  @Test(
    "takes the size of the first frame for a side of the screen that is 0",
    arguments: [(0, 0), (4, 0), (0, 3)])
  func emptyScreen(width: UInt8, height: UInt8) throws {
    var bytes = Fixtures.gif
    (bytes[6], bytes[8]) = (width, height)
    let page = try bytes.asSource { try VipsDecoder().decode($0, page: 0, side: 4) }
    #expect((page.info.width, page.info.height) == (4, 3))
    #expect(page.damage == nil)
    let whole = try Fixtures.gif.asSource { try VipsDecoder().decode($0, page: 0, side: 4) }
    #expect(page.raster.planes[0].bytes == whole.raster.planes[0].bytes)
  }

  private func svg(_ content: String) -> [UInt8] {
    Array(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">\#(content)</svg>"#.utf8)
  }

  @Test(
    "names what librsvg leaves out of an SVG",
    arguments: [
      ("<rect width='9' height='9' fill='red'/>", nil),
      ("<rect style='fill:var(--x, red)' width='9'/>", "CSS variables (var) are not read"),
      ("<rect style='fill:light-dark(red, blue)'/>", "light-dark() of CSS is not read"),
      ("<image href='data:image/webp;base64,UklGRg=='/>", "embedded images are missing: WebP"),
      ("<svg:image xlink:href=' data:image/avif;base64,AA'/>", "embedded images are missing: AVIF"),
      ("<image href='data:image/png;base64,AA'/><image href='#a'/>", nil),
      ("<image href='http://h/a.png'/>", "an image outside of the file is missing"),
      ("<image href=\"a.png\"/><image href='b.png'/>", "2 images outside of the file are missing"),
      ("<!-- <image href='a.png'/> --><g title='<image href=x>'/><images href='a'/>", nil),
    ] as [(String, String?)])
  func missingParts(content: String, expected: String?) throws {
    let text = svg(content).withUnsafeBytes { SVGText(ByteView($0)).remark }
    if let expected {
      #expect(text?.hasPrefix(expected) == true, "\(text ?? "none")")
    } else {
      #expect(text == nil)
    }
  }

  @Test("refuses an SVG that is nested too deeply, before librsvg reads it")
  func deep() throws {
    let decoder = try VipsDecoder(.vectors)
    func nested(_ depth: Int) -> [UInt8] {
      svg(
        String(repeating: "<g>", count: depth) + "<rect width='9' height='9'/>"
          + String(repeating: "</g>", count: depth))
    }
    #expect(throws: Never.self) {
      try nested(SVGText.maximumDepth - 2).asSource { try decoder.decode($0, page: 0, side: 40) }
    }
    let error = #expect(throws: RenderError.self) {
      try nested(20_000).asSource { try decoder.decode($0, page: 0, side: 40) }
    }
    #expect(error?.code == .limit && error?.detail.contains("20001 levels deep") == true)
  }

  @Test("examines a compressed SVG like any other")
  func compressed() throws {
    let decoder = try VipsDecoder(.vectors)
    let outside = GzipMember.of(svg("<rect width='9' height='9'/><image href='http://h/a.png'/>"))
    let page = try outside.asSource { try decoder.decode($0, page: 0, side: 40) }
    #expect(page.info.format == .svgz)
    #expect(page.remark == "an image outside of the file is missing")
    let error = #expect(throws: RenderError.self) {
      try GzipMember.of(svg(String(repeating: "<g>", count: 20_000)))
        .asSource { try decoder.probe($0) }
    }
    #expect(error?.code == .limit && error?.detail.contains("20001 levels deep") == true)
    // What can be decompressed of a damaged file counts.
    func text(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { CompressedSVG.text($0) } }
    #expect(text(outside.dropLast(20)).starts(with: "<svg".utf8))
    #expect(text([0x1f, 0x8b, 8]).isEmpty)
  }

  @Test("reads a JPEG with a profile that states its height behind the first scan")
  func lateHeight() throws {
    let profile = try #require(ColourCode(primaries: 12, transfer: 13).profile)
    var whole = try Pictures.jpeg(width: 100, height: 60)
    let body = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile
    let length = body.count + 2
    whole.insert(
      contentsOf: [0xff, 0xe2, UInt8(length >> 8), UInt8(length & 255)] + body, at: 2)
    let frame = try #require(whole.indices.first { whole[$0...].starts(with: [0xff, 0xc0]) })
    var late = whole
    (late[frame + 5], late[frame + 6]) = (0, 0)
    late.insert(contentsOf: [0xff, 0xdc, 0, 4, 0, 60], at: late.count - 2)
    #expect(throws: RenderError.self) {
      try late.asSource { try CodecsDecoder().decode($0, page: 0, side: 100) }
    }
    let decoder = try VipsDecoder()
    #expect(try late.asSource { try decoder.probe($0) }.height == 60)
    let expected = try whole.asSource { try decoder.thumbnail($0, side: 100) }
    let shown = try late.asSource { try decoder.thumbnail($0, side: 100) }
    #expect(shown.planes.map(\.bytes) == expected.planes.map(\.bytes))
  }

  @Test("opens every page of a TIFF")
  func tiff() throws {
    let bytes = Fixtures.tiff(tones: [10, 120, 250])
    let decoder = try VipsDecoder()
    #expect(try bytes.asSource { try decoder.probe($0) }.pageCount == 3)
    for (page, tone) in [(0, UInt8(10)), (1, 120), (2, 250)] {
      let decoded = try bytes.asSource { try decoder.decode($0, page: page, side: 40) }
      #expect(Array(decoded.raster.planes[0].bytes.prefix(3)) == [tone, tone, tone])
    }
    let error = #expect(throws: RenderError.self) {
      try bytes.asSource { try decoder.decode($0, page: 3, side: 40) }
    }
    #expect(error?.code == .damaged)
  }

  @Test("agrees with the codecs on the size and the look of a JPEG", arguments: [64, 100, 256])
  func agrees(_ side: Int) throws {
    let bytes = try Pictures.jpeg(width: 331, height: 250)
    let codecs = try bytes.asSource { try CodecsDecoder().thumbnail($0, side: side) }
    let vips = try bytes.asSource { try VipsDecoder().thumbnail($0, side: side) }
    #expect((codecs.width, codecs.height) == (vips.width, vips.height))
    #expect(lumaPSNR(codecs, vips) > 35)
  }

  @Test("does not open what its authors do not trust")
  func untrusted() throws {
    let svg = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8)
    let error = #expect(throws: RenderError.self) {
      try svg.asSource { try VipsDecoder().probe($0) }
    }
    #expect(error?.code == .unsupported)
  }

  @Test("checks the size before it decodes")
  func limits() throws {
    let limits = RenderLimits(side: 3, pixels: 100, pages: 2)
    let error = #expect(throws: RenderError.self) {
      try Fixtures.gif.asSource(limits: limits) { try VipsDecoder().decode($0, page: 0, side: 40) }
    }
    #expect(error?.code == .limit)
    let fewPages = RenderLimits(side: 100, pixels: 10_000, pages: 2)
    let pages = #expect(throws: RenderError.self) {
      try Fixtures.tiff(tones: [1, 2, 3]).asSource(limits: fewPages) { try VipsDecoder().probe($0) }
    }
    #expect(pages?.detail == "3 pages exceed limits.pdfPages (2)")
  }

  @Test("calls a cut file damaged or truncated")
  func cut() throws {
    let bytes = Array(Fixtures.gif.prefix(30))
    let error = #expect(throws: RenderError.self) {
      try bytes.asSource { try VipsDecoder().thumbnail($0, side: 4) }
    }
    #expect(error?.code == .damaged || error?.code == .truncated)
  }
}
