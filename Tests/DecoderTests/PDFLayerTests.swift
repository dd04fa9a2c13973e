import Decoding
import TestSupport
import Testing

@testable import RenderingPoppler

/// Layers of a PDF (optional content, ISO 32000-1, 8.11).
@Suite("Layers of a PDF") struct PDFLayerTests {
  /// A page whose left half is always red, and whose right half is blue in a layer.
  /// - Parameters:
  ///   - configuration: The default configuration, or a reference to object 8.
  ///   - usage: The entries of the layer.
  private static func file(
    _ configuration: String, usage: String = "", other: String = "null",
    content: String = "/OC /L BDC 0 0 1 rg 50 0 50 100 re f EMC"
  ) -> [UInt8] {
    TestPDF.file(objects: [
      "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R 6 0 R] /D \(configuration) >> /Lang (a) >>",
      "<< /Type /Pages /Kids [3 0 R 7 0 R] /Count 2 /MediaBox [0 0 100 100] >>",
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Properties << /L 5 0 R >> >> >>",
      TestPDF.stream("1 0 0 rg 0 0 50 100 re f \(content)"),
      "<< /Type /OCG /Name (Layer) \(usage) >>", "<< /Type /OCG /Name (Other) >>",
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Properties << /L 5 0 R >> >> >>",
      other,
    ])
  }

  private static let view = "<< /Event /View /Category [/Zoom /View] /OCGs [6 0 R 5 0 R] >>"
  private static let hidden =
    "/Usage << /Print << /PrintState /ON >> /View << /ViewState /OFF >> >>"
  private static let shown = "/Usage << /View << /ViewState /ON >> >>"

  /// Whether the layer is drawn, on each of the two pages.
  private func isDrawn(_ file: [UInt8]) throws -> Bool {
    let decoder = try PopplerDecoder()
    let drawn = try (0...1).map { page in
      let shown = try file.asSource { try decoder.decode($0, page: page, side: 100) }
      #expect(shown.remark == nil)
      let plane = shown.raster.planes[0]
      func colour(_ x: Int) -> [UInt8] {
        let offset = 50 * plane.rowBytes + x * 4
        return Array(plane.bytes[offset..<offset + 3])
      }
      #expect(colour(25) == [255, 0, 0])
      return colour(75) == [0, 0, 255]
    }
    #expect(drawn[0] == drawn[1])
    return drawn[0]
  }

  @Test(
    "are drawn as the default configuration lists them",
    arguments: [
      ("<< >>", true), ("<< /OFF [5 0 R] >>", false), ("<< /OFF [6 0 R] >>", true),
      ("<< /BaseState /OFF >>", false), ("<< /BaseState /OFF /ON [5 0 R] >>", true),
      ("8 0 R", false),
    ])
  func listed(_ configuration: String, _ isShown: Bool) throws {
    #expect(try isDrawn(Self.file(configuration, other: "<< /OFF [5 0 R] >>")) == isShown)
  }

  @Test(
    "are hidden or shown by their usage if the configuration applies it to the view",
    arguments: [
      ("<< /AS [\(view)] >>", hidden, false), ("<< /AS [\(view)] >>", shown, true),
      ("<< /OFF [5 0 R] /AS [\(view)] >>", shown, true),
      ("<< /BaseState /OFF /ON [5 0 R] /AS [\(view)] >>", hidden, false),
      ("<< /BaseState /OFF /AS [8 0 R] >>", shown, true), ("<< /AS [8 0 R] >>", hidden, false),
      // The usage does not count if nothing applies it to this layer, or only for another event or category.
      ("<< >>", hidden, true), ("<< /OFF [5 0 R] >>", shown, false),
      ("<< /AS [<< /Event /Print /Category [/View] /OCGs [5 0 R] >>] >>", hidden, true),
      ("<< /AS [<< /Event /View /Category [/Zoom] /OCGs [5 0 R] >>] >>", hidden, true),
      ("<< /AS [<< /Event /View /Category [/View] /OCGs [6 0 R] >>] >>", hidden, true),
      ("<< /AS [\(view)] >>", "/Usage << /Print << /PrintState /OFF >> >>", true),
    ])
  func used(_ configuration: String, _ usage: String, _ isShown: Bool) throws {
    #expect(try isDrawn(Self.file(configuration, usage: usage, other: Self.view)) == isShown)
  }

  @Test("are changed by an update that leaves the rest of the file as it is")
  func update() throws {
    let file = Self.file("<< /Name (A) /AS [\(Self.view)] >>", usage: Self.hidden)
    let corrected = try #require(file.withUnsafeBytes { PDFLayers(ByteView($0))?.corrected() })
    #expect(corrected.starts(with: file))
    let update = String(decoding: corrected.dropFirst(file.count), as: UTF8.self)
    #expect(update.contains("/Name (A)") && update.contains("/Lang (a)"))
    #expect(corrected.withUnsafeBytes { PDFLayers(ByteView($0))?.corrected() } == nil)
  }

  @Test("that cannot be read have a remark if their state may depend on the view")
  func unreadable() throws {
    let file = Self.file("<< /AS [\(Self.view)] >>", usage: Self.hidden)
    // Without the table, poppler finds the objects by a search.
    let start = try #require(file.indices.first { file[$0...].starts(with: Array("xref".utf8)) })
    var damaged = file
    damaged[start] = UInt8(ascii: "y")
    let page = try damaged.asSource { try PopplerDecoder().decode($0, page: 0, side: 100) }
    #expect(
      page.remark == "layers that are only for the screen or only for print may be shown wrongly")
  }
}
