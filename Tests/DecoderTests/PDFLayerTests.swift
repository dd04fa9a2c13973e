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
    let corrected = try #require(try Self.corrected(file))
    #expect(corrected.starts(with: file))
    let update = String(decoding: corrected.dropFirst(file.count), as: UTF8.self)
    #expect(update.contains("/Name (A)") && update.contains("/Lang (a)"))
    #expect(try Self.corrected(corrected) == nil)
  }

  /// - Throws: An error if the layers cannot be read.
  private static func corrected(_ file: [UInt8]) throws -> [UInt8]? {
    try file.withUnsafeBytes { try #require(PDFLayers(ByteView($0))).corrected() }
  }

  private static let remark =
    "layers that are only for the screen or only for print may be shown wrongly"
  private static let other = "<< /Event /View /Category [/View] /OCGs [5 0 R] >>"

  @Test(
    "are left as they are, with a remark, if a list of them cannot be read",
    arguments: [
      // The states of other layers would be lost with the list.
      "<< /OFF [null 6 0 R] /AS [\(other)] >>", "<< /ON [6 0 R 7] /AS [\(other)] >>",
      "<< /OFF 9 0 R /AS [\(other)] >>", "<< /OFF (a) /AS [\(other)] >>",
      // Objects of a later generation are not read.
      "<< /OFF [6 1 R] /AS [\(other)] >>", "<< /AS [8 1 R] >>",
      "<< /AS [<< /Event /View /Category [/View] /OCGs [5 1 R] >>] >>",
    ])
  func unreadableList(_ configuration: String) throws {
    let file = Self.file(configuration, usage: Self.hidden, other: Self.view)
    #expect(file.withUnsafeBytes { PDFLayers(ByteView($0)) == nil })
    let page = try file.asSource { try PopplerDecoder().decode($0, page: 0, side: 100) }
    #expect(page.remark == Self.remark)
  }

  @Test("are not read if their usages, categories and groups are too many")
  func many() throws {
    let groups = String(repeating: "5 0 R ", count: 4_000)
    let usage = "<< /Event /View /Category [/View] /OCGs 8 0 R >>"
    func isRead(_ usages: Int) -> Bool {
      Self.file(
        "<< /AS [\(String(repeating: usage, count: usages))] >>", usage: Self.hidden,
        other: "[\(groups)]"
      ).withUnsafeBytes { PDFLayers(ByteView($0)) != nil }
    }
    #expect(isRead(2) && !isRead(3))
    // A usage that is named again is not read again.
    let same = Self.file(
      "<< /AS [8 0 R 8 0 R 8 0 R] >>", usage: Self.hidden,
      other: "<< /Event /View /Category [/View] /OCGs [\(groups)] >>")
    #expect(try Self.corrected(same) != nil)
  }

  @Test("have no remark if the key of usages only is that of a check box, or the start of a filter")
  func otherKeys() {
    func remark(_ text: String) -> String? {
      Array("%PDF-1.4\n<< /ViewState /OFF >> \(text)".utf8)
        .withUnsafeBytes { PDFLayers.remark(ByteView($0)) }
    }
    for text in [
      "<< /Filter /ASCII85Decode >>", "<< /AS /Off >>", "<< /AS/Off >>", "<< /AS5 0 R >>",
    ] {
      #expect(remark(text) == nil, "\(text)")
    }
    for text in ["<< /AS [] >>", "<< /AS[] >>", "<< /AS 5 0 R >>", "<< /AS\n5 0 R >>"] {
      #expect(remark(text) == Self.remark, "\(text)")
    }
  }

  @Test("that cannot be read have a remark if their state may depend on the view")
  func unreadable() throws {
    let file = Self.file("<< /AS [\(Self.view)] >>", usage: Self.hidden)
    // Without the table, poppler finds the objects by a search.
    let start = try #require(file.indices.first { file[$0...].starts(with: Array("xref".utf8)) })
    var damaged = file
    damaged[start] = UInt8(ascii: "y")
    let page = try damaged.asSource { try PopplerDecoder().decode($0, page: 0, side: 100) }
    #expect(page.remark == Self.remark)
  }
}
