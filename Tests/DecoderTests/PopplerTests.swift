import Decoding
import Glibc
import Rendering
import TestSupport
import Testing
@testable import RenderingPoppler

@Suite("PDF") struct PopplerTests {
  /// Red, green, blue at a place given as parts of the width and height.
  private func colour(_ raster: Raster, _ x: Double, _ y: Double) -> [UInt8] {
    let plane = raster.planes[0]
    let column = Int(Double(plane.width) * x)
    let offset = Int(Double(plane.height) * y) * plane.rowBytes + column * 4
    return Array(plane.bytes[offset..<(offset + 3)])
  }

  private let red: [UInt8] = [255, 0, 0]
  private let white: [UInt8] = [255, 255, 255]

  @Test("is drawn on white in exactly the size asked for")
  func page() throws {
    let bytes = Fixtures.pdf(pages: [(200, 100, ""), (50, 400, "")])
    let decoder = try PopplerDecoder()
    let info = try bytes.asSource { try decoder.probe($0) }
    #expect((info.width, info.height, info.pageCount) == (200, 100, 2))
    let first = try bytes.asSource { try decoder.decode($0, page: 0, side: 300) }
    #expect((first.raster.width, first.raster.height) == (300, 150))
    #expect(colour(first.raster, 0.25, 0.75) == red)
    #expect(colour(first.raster, 0.25, 0.25) == white)
    #expect(colour(first.raster, 0.75, 0.75) == white)
    let second = try bytes.asSource { try decoder.decode($0, page: 1, side: 80) }
    #expect((second.raster.width, second.raster.height) == (10, 80))
  }

  @Test("is turned as the page says")
  func rotation() throws {
    let bytes = Fixtures.pdf(pages: [(200, 100, "/Rotate 90")])
    let page = try bytes.asSource { try PopplerDecoder().decode($0, page: 0, side: 200) }
    #expect((page.raster.width, page.raster.height) == (100, 200))
    // The lower left corner has become the upper left one.
    #expect(colour(page.raster, 0.25, 0.25) == red)
    #expect(colour(page.raster, 0.25, 0.75) == white)
  }

  @Test("is cut to the crop box")
  func cropBox() throws {
    let bytes = Fixtures.pdf(pages: [(200, 100, "/CropBox [0 0 100 50]")])
    let page = try bytes.asSource { try PopplerDecoder().decode($0, page: 0, side: 100) }
    #expect((page.info.width, page.info.height) == (100, 50))
    #expect(colour(page.raster, 0.9, 0.1) == red)
  }

  @Test(
    "is drawn without a box that has no area, and does not lose the other pages",
    arguments: [
      "/CropBox [0 0 0 0]", "/CropBox [500 500 600 600]", "/CropBox [0 0 200 0]",
      "/MediaBox [0 0 0 100] /CropBox [0 0 200 100]",
    ])
  func emptyBox(box: String) throws {
    let bytes = Fixtures.pdf(pages: [(200, 100, box), (200, 100, "")])
    let decoder = try PopplerDecoder()
    #expect(try bytes.asSource { try decoder.probe($0) }.pageCount == 2)
    for page in 0...1 {
      let shown = try bytes.asSource { try decoder.decode($0, page: page, side: 200) }
      #expect((shown.raster.width, shown.raster.height) == (200, 100), "\(page)")
      #expect(colour(shown.raster, 0.25, 0.75) == red)
    }
  }

  @Test("names the font of text that is missing because the machine has no font for it")
  func missingFont() async throws {
    await #expect(processExitsWith: .success) {
      // The process has its own configuration of fonts, with none in it.
      let folder = try TemporaryFolder()
      let configuration = "<fontconfig><cachedir>\(folder.path)</cachedir></fontconfig>"
      let path = try folder.write("fonts.conf", Array(configuration.utf8))
      setenv("FONTCONFIG_FILE", path, 1)
      let bytes = TestPDF.page(
        "BT /F 40 Tf 10 30 Td (Hamburg) Tj ET",
        resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>")
      let page = try bytes.asSource { try PopplerDecoder().decode($0, page: 0, side: 100) }
      #expect(
        page.remark
          == "text in the font Helvetica is missing: this machine has no font for it (see doctor)")
    }
  }

  @Test("has the shape of its page, also if that is no whole number of points")
  func fractions() throws {
    let bytes = Fixtures.pdf(pages: [(200, 100, "/CropBox [0 0 5.2 2.6]"), (2.6, 5.2, "")])
    for (page, width, height) in [(0, 1_000, 500), (1, 500, 1_000)] {
      let shown = try bytes.asSource {
        try PopplerDecoder().decode($0, page: page, side: 1_000)
      }
      #expect((shown.raster.width, shown.raster.height) == (width, height))
    }
  }

  @Test("with a page of no shape that can be drawn is a failure or a clamped page")
  func shapes() throws {
    for (width, height) in [(0.0, 0.0), (-200, 100), (1e300, 1), (14_400, 0.001), (1e-9, 1e9)] {
      let bytes = Fixtures.pdf(pages: [(width, height, "")])
      do throws(RenderError) {
        let raster = try bytes.asRaster(try PopplerDecoder(), side: 64)
        #expect(max(raster.width, raster.height) <= 64)
      } catch {
        #expect(!error.detail.isEmpty)
      }
    }
  }

  @Test("has a limit of pages, and of pixels for one page")
  func limits() throws {
    let bytes = Fixtures.pdf(pages: [(100, 100, ""), (100, 100, ""), (100, 100, "")])
    let limits = RenderLimits(side: 9, pixels: 9, pages: 2)
    let (info, first) = try bytes.asSource(limits: limits) {
      (try PopplerDecoder().probe($0), try PopplerDecoder().decode($0, page: 0, side: 9))
    }
    #expect(info.pageCount == 2)
    #expect(
      first.remark
        == "the file has 3 pages, of which the first 2 are shown (limits.pdfPages)")
    let large = #expect(throws: RenderError.self) {
      try bytes.asSource { try PopplerDecoder().decode($0, page: 0, side: 6_400) }
    }
    #expect(large?.code == .limit)
  }

  @Test("that is broken says so", arguments: ["%PDF-1.4\n", "%PDF-1.4\ntrailer <<>>", "%PDF-"])
  func broken(_ text: String) throws {
    let error = #expect(throws: RenderError.self) {
      try Array(text.utf8).asSource { try PopplerDecoder().probe($0) }
    }
    #expect(error?.code == .damaged)
  }

  @Test("that is encrypted is drawn if its password is empty, and says so if not")
  func encrypted() throws {
    let open = TestPDF.encrypted(password: "", owner: "secret")
    let page = try open.asSource { try PopplerDecoder().decode($0, page: 0, side: 100) }
    #expect(colour(page.raster, 0.25, 0.75) == red)
    #expect(colour(page.raster, 0.75, 0.25) == white)
    let closed = TestPDF.encrypted(password: "open sesame", owner: "secret")
    let error = #expect(throws: RenderError.self) {
      try closed.asSource { try PopplerDecoder().probe($0) }
    }
    #expect(error == RenderError(.encrypted, "the PDF file is encrypted and needs a password"))
  }

  @Test("has no page beyond its last")
  func missingPage() throws {
    let bytes = Fixtures.pdf(pages: [(100, 100, "")])
    for page in [-1, 1, Int.max] {
      let error = #expect(throws: RenderError.self) {
        try bytes.asSource { try PopplerDecoder().decode($0, page: page, side: 10) }
      }
      #expect(error?.code == .damaged)
    }
  }

  /// Pages of 100 × 100, whose left part is red: 20 wide on the first, 40 on the second, 60 on the third.
  private func tree(root: String, kids: String = "[3 0 R 4 0 R 5 0 R]") -> [UInt8] {
    let pages = (0..<3).map {
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents \($0 + 6) 0 R >>"
    }
    let contents = (1...3).map { TestPDF.stream("1 0 0 rg 0 0 \($0 * 20) 100 re f") }
    return TestPDF.file(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids \(kids) \(root) >>",
      ] + pages + contents)
  }

  @Test(
    "shows the pages that are in the tree, whatever number it states",
    arguments: [
      ("/Count 3", nil), ("/Count 1", "the file states 1 pages, but has 3"),
      ("/Count 0", "the file states 0 pages, but has 3"),
      ("/Count 5", "the file states 5 pages, of which 3 are there"),
      ("/Count 1999", "the file states 1999 pages, of which 3 are there"),
      ("/Count 2147483647", "the file states 2147483647 pages, of which 3 are there"),
      ("/Count -3", "the file does not state how many pages it has"),
      ("", "the file does not state how many pages it has"),
      ("/Title (a \\) >> b) /X [<</Y <41>>> /Z] /Count 2", "the file states 2 pages, but has 3"),
    ] as [(String, String?)])
  func pageCount(root: String, remark: String?) throws {
    let file = tree(root: root)
    let decoder = try PopplerDecoder()
    #expect(try file.asSource { try decoder.probe($0) }.pageCount == 3)
    for page in 0..<3 {
      let shown = try file.asSource { try decoder.decode($0, page: page, side: 100) }
      let edge = Double(page + 1) * 0.2
      #expect(colour(shown.raster, edge - 0.05, 0.5) == red, "\(page)")
      #expect(colour(shown.raster, edge + 0.05, 0.5) == white, "\(page)")
      #expect(shown.remark == (page == 0 ? remark : nil))
    }
  }

  @Test(
    "skips pages that are missing, and shows the others",
    arguments: ["[3 0 R 99 0 R 5 0 R]", "[3 0 R 2 0 R 5 0 R]"])
  func missingPages(kids: String) throws {
    let file = tree(root: "/Count 3", kids: kids)
    let decoder = try PopplerDecoder()
    #expect(try file.asSource { try decoder.probe($0) }.pageCount == 2)
    let first = try file.asSource { try decoder.decode($0, page: 0, side: 100) }
    #expect(first.remark == "the file states 3 pages, of which 2 are there")
    let second = try file.asSource { try decoder.decode($0, page: 1, side: 100) }
    #expect(colour(second.raster, 0.55, 0.5) == red)
  }

  @Test("without pages is said to have none")
  func noPages() throws {
    let error = #expect(throws: RenderError.self) {
      try tree(root: "/Count 0", kids: "[]").asSource { try PopplerDecoder().probe($0) }
    }
    #expect(error?.detail == "the document has no pages")
  }

  @Test("may have any bytes in place of its tree, which is read to its end")
  func anyTree() {
    let file = tree(root: "/Count 1")
    var generator = SeededGenerator(seed: 11)
    let alphabet = Array("<>[]()/%0123456789 R\nxreftailobjKidsCount".utf8)
    var readable = 0
    for _ in 0..<3_000 {
      var damaged = file
      for _ in 0..<4 {
        let place = Int.random(in: 9..<damaged.count, using: &generator)
        damaged[place] = alphabet.randomElement(using: &generator) ?? 0
      }
      let corrected = damaged.withUnsafeBytes { PDFPageTree(ByteView($0))?.corrected() }
      guard let corrected else { continue }
      readable += 1
      #expect(corrected.starts(with: damaged))
    }
    #expect(readable > 100)
  }
}
