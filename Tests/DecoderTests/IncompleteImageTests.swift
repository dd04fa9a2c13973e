import Decoding
import RenderingPoppler
import TestSupport
import Testing

/// poppler fills the rest of an image whose data ends too early, mostly with white, and does not say so.
@Suite("An image of a PDF whose data ends too early") struct IncompleteImageTests {
  private static let side = 16

  /// Data of an image of 16 × 16 pixels of noise, as hexadecimal digits, with the entries of its dictionary.
  struct Encoding: CustomTestStringConvertible, Sendable {
    let filter: String
    let data: String
    var entries = "/ColorSpace /DeviceGray /BitsPerComponent 8"

    var testDescription: String { filter.isEmpty ? "none" : filter }

    /// - Parameter part: The part of the data that is there.
    func page(_ part: Double, height: Int = side) -> [UInt8] {
      let cut = String(data.prefix(Int(Double(data.count) * part) / 2 * 2))
      let image =
        "/Type /XObject /Subtype /Image /Width \(side) /Height \(height) "
        + "/Filter [/ASCIIHexDecode \(filter)] \(entries)"
      return TestPDF.page(
        "100 0 0 100 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>",
        others: [TestPDF.stream(cut + ">", image)])
    }
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let noise: [UInt8] = {
    var generator = SeededGenerator(seed: 7)
    return (0..<side * side).map { _ in UInt8.random(in: 0...200, using: &generator) }
  }()

  /// Each row as a run of its own (7.4.5), which ends with the data.
  private static let runs = stride(from: 0, to: side * side, by: side)
    .flatMap { [UInt8(side - 1)] + noise[$0..<$0 + side] }

  /// A checksum is not examined.
  private static let zlib = [0x78, 0x9c] + Deflate.compress(noise) + [0, 0, 0, 0]

  private static let bilevel = "/ColorSpace /DeviceGray /BitsPerComponent 1"

  private static let g4 =
    "23c5f2e81054104d843a943841042b692a45d04137ed3c7481bc323f42082d11f58208453c2338223cb5abb653e8205412841309"
    + "3b56098647c5a410205104ac208608ac001001"

  /// Data whose decoder delivers one row after the other.
  private static let rows = [
    Encoding(filter: "", data: digits(noise)),
    Encoding(filter: "/RunLengthDecode", data: digits(runs)),
    Encoding(filter: "/FlateDecode", data: digits(zlib)),
    Encoding(
      filter: "/CCITTFaxDecode", data: g4,
      entries: "\(bilevel) /DecodeParms [null << /K -1 /Columns 16 >>]"),
    Encoding(
      filter: "/CCITTFaxDecode", data: g4,
      entries: "/ImageMask true /DecodeParms [null << /K -1 /Columns 16 /Rows 16 >>]"),
  ]

  /// Data of which poppler shows nothing unless it is whole: JPEG 2000 and progressive JPEG.
  private static let wholes = [
    Encoding(
      filter: "/JPXDecode",
      data:
        "ff4fff510029000000000010000000100000000000000000000000100000001000000000000000000001070101ff52000e01"
        + "0200010001040400008888ff5c000b42482457d357d35762ff640025000143726561746564206279204f70656e4a504547"
        + "2076657273696f6e20322e352e34ff90000a00000000008e0001ff93cf8d1817f93d8dd6d2449979499e72fa209f310450"
        + "e18a7809753c542d025493a68793ea1726c3cdc7c46e1e740e4216da903f28a9cdda1f4e10a46e258dee3fab781d878995"
        + "3d3622f65afdbe5c0cc37b0fe2fad377177571da4cfb6f5e7bd6b78c6906d41edfa9b53c14b0de3fdae8d5272436a77147"
        + "e87e4fec3200d41c4fffd9"),
    Encoding(
      filter: "/DCTDecode",
      data:
        "ffd8ffe000104a46494600010100000100010000ffdb004300100b0c0e0c0a100e0d0e1211101318281a181616183123251d"
        + "283a333d3c3933383740485c4e404457453738506d51575f626768673e4d71797064785c656763ffc2000b080010001001"
        + "011100ffc40014000100000000000000000000000000000005ffda00080101000000011903d0ffc4001510010100000000"
        + "000000000000000000000002ffda000801010001050294a94fffc40014100100000000000000000000000000000020ffda"
        + "0008010100063f021fffc40017100003010000000000000000000000000000112161ffda0008010100013f219784bc2561"
        + "2b0fffda0008010100000010ff00ffc40015100101000000000000000000000000000000a1ffda0008010100013f109494"
        + "b4b4ffd9"),
  ]

  /// A page and a region in the coding of CCITT (ITU-T T.88, 7.4.6), which poppler decodes before it reads the first row.
  private static let jbig2 = Encoding(
    filter: "/JBIG2Decode",
    data:
      "000000003000010000001300000010000000100000000000000000000000000000012600010000005900000010000000100000"
      + "0000000000000001" + g4,
    entries: bilevel)

  private func decode(_ file: [UInt8], page: Int = 0) throws -> DecodedPage {
    let decoder = try PopplerDecoder()
    return try file.asSource { try decoder.decode($0, page: page, side: 100) }
  }

  @Test("has no remark if it is whole", arguments: rows + wholes + [jbig2])
  func whole(_ encoding: Encoding) throws {
    let page = try decode(encoding.page(1))
    #expect(page.damage == nil && page.remark == nil, "\(page.remark ?? "")")
    #expect(Set(page.raster.planes[0].bytes).count > 1)
  }

  @Test("has a remark that counts its missing rows", arguments: rows)
  func cut(_ encoding: Encoding) throws {
    for part in [0.3, 0.5, 0.8] {
      let page = try decode(encoding.page(part))
      #expect(page.damage == nil)
      let remark = try #require(page.remark)
      let words = remark.split(separator: " ")
      #expect(
        remark.hasSuffix(
          " of the 16 rows of an image are missing: its data ends too early or is damaged"))
      let missing = try #require(Int(words[2]))
      // The encoded rows have about the same size.
      #expect(abs(Double(missing) - (1 - part) * 16) <= 3, "\(remark)")
      // The rows before are drawn, and white is in the place of the others.
      let plane = page.raster.planes[0]
      func isWhite(_ row: Int) -> Bool {
        plane.bytes[row * plane.rowBytes..<(row + 1) * plane.rowBytes].allSatisfy { $0 == 255 }
      }
      #expect(!isWhite(5) && isWhite(98), "\(part)")
    }
  }

  @Test("has a remark that it is missing if nothing of it is drawn", arguments: wholes)
  func missing(_ encoding: Encoding) throws {
    for part in [0, 0.5, 0.9] {
      let page = try decode(encoding.page(part))
      #expect(
        page.remark?.hasPrefix("an image is missing: its data ends too early or is damaged")
          == true,
        "\(part): \(page.remark ?? "")")
    }
  }

  @Test("has a remark if its decoder makes up the missing rows")
  func made() throws {
    for part in [0.5, 0.75, 0.9] {
      #expect(
        try decode(Self.jbig2.page(part)).remark
          == "an image may be incomplete or wrong: its data ends too early or is damaged", "\(part)"
      )
    }
  }

  @Test("has a remark on the page that draws it, and on no other")
  func pages() throws {
    let cut = Self.rows[0].page(0.5)
    #expect(try decode(cut).remark != nil)
    #expect(try decode(Self.rows[0].page(1)).remark == nil)
    let unused = TestPDF.page(
      "0 g 0 0 50 50 re f", others: [TestPDF.stream("00>", "/Subtype /Image")])
    #expect(try decode(unused).remark == nil)
    let further = TestPDF.file(objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 100 100] >>",
      "<< /Type /Page /Parent 2 0 R >>",
      "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /XObject << /I 6 0 R >> >> >>",
      TestPDF.stream("100 0 0 100 0 0 cm /I Do"),
      TestPDF.stream(
        "00ff>",
        "/Type /XObject /Subtype /Image /Width 1 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 8 "
          + "/Filter /ASCIIHexDecode"),
    ])
    #expect(try decode(further, page: 0).remark == nil)
    #expect(
      try decode(further, page: 1).remark
        == "the last 2 of the 4 rows of an image are missing: its data ends too early or is damaged"
    )
  }

  @Test("has a remark as the mask of another image, within the content, and in a form")
  func places() throws {
    let grey =
      "/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode"
    let image = "/Type /XObject /Subtype /Image \(grey)"
    let draw = "100 0 0 100 0 0 cm /I Do"
    let files = [
      TestPDF.page(
        draw, resources: "/XObject << /I 5 0 R >>",
        others: [
          TestPDF.stream("00000000>", "\(image) /SMask 6 0 R"), TestPDF.stream("ffff>", image),
        ]),
      TestPDF.page(
        "100 0 0 100 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 0000> EI"),
      TestPDF.page(
        "/F Do", resources: "/XObject << /F 5 0 R >>",
        others: [
          TestPDF.stream(
            draw,
            "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /I 6 0 R >> >>"
          ),
          TestPDF.stream("0000>", image),
        ]),
    ]
    for (index, file) in files.enumerated() {
      #expect(
        try decode(file).remark
          == "the last of the 2 rows of an image is missing: its data ends too early or is damaged",
        "\(index)")
    }
  }
}
