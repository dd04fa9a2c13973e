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

  private static let palette: [[UInt8]] = [[255, 0, 0], [0, 0, 255], [0, 255, 0], [9, 9, 9]]

  /// A frame of 8 × 4 pixels, red on the left and blue on the right.
  private func picture(pixels: Int = 32) -> [UInt8] {
    let frame = (0..<pixels).map { UInt8($0 % 8 < 4 ? 0 : 1) }
    return TestGIF.file(width: 8, height: 4, palette: Self.palette, frames: [frame])
  }

  @Test(
    "draws the first frame of a GIF at its place, also beyond the screen",
    arguments: [(8, 4, 4, 0), (8, 4, 0, 2), (8, 4, 20, 10), (2, 2, 1, 1), (30, 20, 3, 5)])
  func displaced(screenWidth: UInt8, screenHeight: UInt8, left: UInt8, top: UInt8) throws {
    var file = picture()
    let frame = try #require(file[25...].firstIndex(of: 0x2c))
    (file[6], file[8], file[frame + 1], file[frame + 3]) = (screenWidth, screenHeight, left, top)
    let size = (max(Int(screenWidth), Int(left) + 8), max(Int(screenHeight), Int(top) + 4))
    let page = try file.asSource { try VipsDecoder().decode($0, page: 0, side: 64) }
    #expect((page.info.width, page.info.height) == size && page.damage == nil)
    let plane = page.raster.planes[0]
    #expect((plane.width, plane.height) == size)
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        let column = x - Int(left)
        let isInFrame = (0..<8).contains(column) && (0..<4).contains(y - Int(top))
        let colour = isInFrame ? Self.palette[column < 4 ? 0 : 1] + [255] : [0, 0, 0, 0]
        let place = y * plane.rowBytes + x * 4
        #expect(Array(plane.bytes[place..<(place + 4)]) == colour, "\(x), \(y)")
      }
    }
  }

  @Test("reports a GIF whose codes end before its pixels, and shows the rest in grey")
  func missingPixels() throws {
    for count in [8, 20, 31] {
      let page = try picture(pixels: count).asSource {
        try VipsDecoder().decode($0, page: 0, side: 8)
      }
      #expect(page.damage?.code == .damaged, "\(count)")
      for pixel in 0..<32 {
        let colour = pixel < count ? Self.palette[pixel % 8 < 4 ? 0 : 1] : [128, 128, 128]
        #expect(Array(page.raster.planes[0].bytes[(pixel * 4)..<(pixel * 4 + 3)]) == colour)
      }
    }
    #expect(throws: RenderError.self) {
      try picture(pixels: 0).asSource { try VipsDecoder().decode($0, page: 0, side: 8) }
    }
    #expect(try picture().asSource { try VipsDecoder().decode($0, page: 0, side: 8) }.damage == nil)
  }

  private func svg(_ content: String) -> [UInt8] {
    Array(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">\#(content)</svg>"#.utf8)
  }

  @Test(
    "names what librsvg leaves out of an SVG",
    arguments: [
      ("<rect width='9' height='9' fill='red'/>", nil),
      ("<image href='data:image/webp;base64,UklGRg=='/>", "embedded images are missing: WebP"),
      ("<svg:image xlink:href=' data:image/avif;base64,AA'/>", "embedded images are missing: AVIF"),
      ("<image href='data:image/png;base64,AA'/><image href='#a'/>", nil),
      ("<image href='http://h/a.png'/>", "an image outside of the file is missing"),
      ("<image href=\"a.png\"/><image href='b.png'/>", "2 images outside of the file are missing"),
      ("<!-- <image href='a.png'/> --><g title='<image href=x>'/><images href='a'/>", nil),
      ("<text><textPath href='#p'>round</textPath></text>", "text on a path (textPath) is missing"),
      (
        "<style>@font-face{font-family:x;src:url(data:font/woff2;base64,AA==)}</style>",
        "fonts embedded in the file are not used"
      ),
      ("<style>@font-face{font-family:x;src:url(https://h/x.woff2)}</style>", nil),
    ] as [(String, String?)])
  func missingParts(content: String, expected: String?) {
    #expect(remark(content) == expected)
  }

  private func remark(_ content: String) -> String? {
    svg(content).withUnsafeBytes { SVGText(ByteView($0)).remark }
  }

  /// What browsers draw in each case, librsvg 2.54 draws black, in another colour, at another place or not at all.
  @Test(
    "names the CSS that librsvg does not read",
    arguments: [
      ("<rect style='fill:var(--x, red)' width='9'/>", "var()"),
      ("<rect style='fill:light-dark(red, blue)'/>", "light-dark()"),
      ("<rect style='fill: OKLCH(0.6 0.2 29)'/>", "oklch()"),
      ("<rect fill='color-mix(in srgb, red, blue)'/>", "color-mix()"),
      ("<stop stop-color='color(display-p3 1 0 0)'/>", "color()"),
      ("<rect style='width:calc(5px + 5px);clip-path:inset(0 50% 0 0)'/>", "calc(), inset()"),
      (
        "<rect style='transform-box:fill-box;transform-origin:center'/>",
        "transform-box, transform-origin"
      ),
      ("<rect transform-origin='5 5' transform='rotate(9)'/>", "transform-origin"),
      ("<style>@layer x{.a{fill:red}}</style>", "@layer"),
      ("<style>@supports (fill:red){.a{fill:red}}</style>", "@supports"),
      ("<style><![CDATA[@media screen{.a{fill:red}}]]></style>", "@media"),
      ("<style>.a{.b{fill:red}}</style>", "nested rules"),
      ("<style>:is(.a,.b){fill:red} .c{fill:lab(54 80 70)}</style>", "is(), lab()"),
      ("<style>.a{fill:red;scale:2}.b{rotate:9deg}</style>", "scale, rotate"),
    ])
  func unreadStyle(content: String, names: String) {
    #expect(
      remark(content)
        == "CSS that librsvg does not read, so that parts may be black, missing or elsewhere: \(names)"
    )
  }

  @Test(
    "does not remark on CSS that changes nothing, or that is no CSS",
    arguments: [
      "<rect style='fill:rgb(1 2 3 / 50%);transform:rotate(5deg);filter:url(#f)'/>",
      "<style>/* var(--x) @layer { */ .a:not(.b):hover{fill:url(#calc);content:'min(1)'}</style>",
      "<style>@media (prefers-color-scheme:dark){.a{fill:#fff}}@media print{.a{fill:red}}</style>",
      "<style>@keyframes k{from{fill:red}to{fill:blue}}.a{transform-origin:0 0}</style>",
      "<text title='calc(1)' onclick='max(1, 2)'>oklch(1 2 3) @layer</text>",
      "<path d='M0 0' id='path(1)'/><script>if (min(1)) { @layer {} }</script>",
    ])
  func plainStyle(content: String) {
    #expect(remark(content) == nil)
  }

  @Test("remarks on the ground of the root, unless it is that of the page")
  func ground() {
    func remark(_ style: String) -> String? {
      Array("<?xml version='1.0'?><svg style='\(style)'><g style='background:red'/></svg>".utf8)
        .withUnsafeBytes { SVGText(ByteView($0)).remark }
    }
    for style in ["background:red", "color:blue; background-color : #000"] {
      #expect(remark(style)?.contains("background") == true)
    }
    for style in ["background:#FFF", "background-color: rgb(255, 255, 255);", "background:none"] {
      #expect(remark(style) == nil)
    }
  }

  private static let label =
    "<foreignObject width='9' height='9'><div>A <b>label</b></div></foreignObject>"

  @Test(
    "names HTML in an SVG, unless another content takes its place",
    arguments: [
      (label, true), ("<g>\(label)\(label)</g>", true),
      ("<switch>\(label)<text>A label</text></switch>", false),
      ("<switch>\(label)</switch>", true), ("<g><switch>\(label)</switch><text>x</text></g>", true),
      ("<switch><g>\(label)</g><text>x</text></switch>", true),
      ("<foreignObject><div> \n <span class='x'></span></div></foreignObject>", false),
      ("<foreignObject width='1'/>", false),
      ("<foreignObject display='none'><p>x</p></foreignObject>", false),
      ("<foreignObject><div style='background:conic-gradient(red, blue)'/></foreignObject>", true),
      ("<foreignObject><img src='data:image/png;base64,AA'/></foreignObject>", true),
    ])
  func foreignContent(content: String, isMissing: Bool) {
    #expect(remark(content) == (isMissing ? "HTML in the drawing (foreignObject) is missing" : nil))
  }

  /// Browsers show a drawing without a size of its own 300 pixels wide.
  @Test(
    "draws an SVG of less than a pixel in another size",
    arguments: [
      ("viewBox='0 0 0.2 0.1'", 300, 150), ("viewBox='0 0 1 1'", 300, 300),
      ("width='0.2' height='0.1'", 300, 150),
      ("width='.1mm' height='.2mm' viewBox='0 0 .2 .4'", 150, 300),
      ("width='0.3px' viewBox=' 0,0 2e-1 0.1'", 300, 150), ("viewBox='0 0 1000 0.1'", 10_000, 1),
      ("width='4' height='2' viewBox='0 0 0.2 0.1'", 4, 2),
    ])
  func smallDrawing(attributes: String, width: Int, height: Int) throws {
    let file = Array(
      """
      <?xml version="1.0"?><!-- <svg width='9'> -->
      <svg xmlns="http://www.w3.org/2000/svg" \(attributes)><rect width="50%" height="100%" fill="red"/></svg>
      """.utf8)
    let decoder = try VipsDecoder(.vectors)
    let info = try file.asSource { try decoder.probe($0) }
    #expect((info.width, info.height) == (width, height))
    let page = try file.asSource { try decoder.decode($0, page: 0, side: max(width, height)) }
    let plane = page.raster.planes[0]
    #expect((plane.width, plane.height) == (width, height))
    let row = plane.height / 2 * plane.rowBytes
    #expect(Array(plane.bytes[row..<(row + 4)]) == [255, 0, 0, 255])
    #expect(plane.bytes[row + plane.rowBytes - 1] == 0)
  }

  @Test("says that an SVG without a width or height shows nothing")
  func emptyDrawing() throws {
    let file = Array(
      "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='9'><circle r='9'/></svg>".utf8)
    let error = #expect(throws: RenderError.self) {
      try file.asSource { try VipsDecoder(.vectors).probe($0) }
    }
    #expect(error?.code == .unsupported && error?.detail.contains("zero") == true)
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
    let (info, first) = try Fixtures.tiff(tones: [1, 2, 3]).asSource(limits: fewPages) {
      (try VipsDecoder().probe($0), try VipsDecoder().decode($0, page: 0, side: 40))
    }
    #expect(info.pageCount == 2 && first.info.pageCount == 2)
    #expect(
      first.remark
        == "the file has 3 pages, of which the first 2 are shown (limits.pdfPages)")
  }

  @Test("names the directory without entries, which libtiff takes for a lack of memory")
  func emptyDirectory() throws {
    let file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let error = #expect(throws: RenderError.self) {
      try file.asSource { try VipsDecoder().probe($0) }
    }
    #expect(error?.detail == "the TIFF file is damaged (its directory has no entries)")
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
