import Foundation
import Models
import Testing

@Suite("Formats by their first bytes")
struct ResourceFormatTests {
  private static let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0]
  private static func ftyp(_ brands: String) -> [UInt8] {
    [0, 0, 0, 0x1c] + Array("ftyp".utf8) + Array(brands.utf8)
  }
  private static func bmp(header: UInt8) -> [UInt8] {
    Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [header, 0, 0, 0]
  }

  @Test(
    "Binary formats are recognised by their magic numbers",
    arguments: [
      (jpeg, .jpeg), ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], .png),
      (Array("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8 ".utf8), .webp),
      (Array("RIFF\u{0}\u{0}\u{0}\u{0}WAVE".utf8), .unknown),
      (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif), (Array("GIF88a".utf8), .text),
      ([0x49, 0x49, 0x2a, 0x00], .tiff), ([0x4d, 0x4d, 0x00, 0x2a], .tiff),
      (bmp(header: 40), .bmp), (bmp(header: 12), .bmp), (Array("BM, a text".utf8), .text),
      (ftyp("avif\u{0}\u{0}\u{0}\u{0}mif1"), .avif), (ftyp("avis"), .avif),
      (ftyp("heic\u{0}\u{0}\u{0}\u{0}mif1"), .heif),
      (ftyp("mif1\u{0}\u{0}\u{0}\u{0}mif1heic"), .heif),
      (ftyp("mif1\u{0}\u{0}\u{0}\u{0}mif1avif"), .avif),
      (ftyp("mif1\u{0}\u{0}\u{0}\u{0}avifmif1"), .avif),
      (ftyp("mp42\u{0}\u{0}\u{0}\u{0}isom"), .unknown),
      ([0xff, 0x0a, 0, 0], .jpegXL), ([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20], .jpegXL),
      (Array("PK\u{3}\u{4}".utf8), .zip), (Array("PK\u{5}\u{6}".utf8), .zip),
      (Array("PKWARE".utf8), .text),
      ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], .sevenZip), (Array("Rar!\u{1a}\u{7}\u{1}".utf8), .rar),
      ([UInt8](repeating: 0, count: 257) + Array("ustar".utf8), .tar), ([0x1f, 0x8b, 8], .gzip),
      (Array("%PDF-1.7".utf8), .pdf), (Array("junk\n%PDF-1.4".utf8), .pdf), ([], .unknown),
      ([0], .unknown), ([0xff, 0xd8], .text), (Array(jpeg.prefix(1)), .text),
    ] as [([UInt8], ResourceFormat)])
  func binary(bytes: [UInt8], expected: ResourceFormat) {
    #expect(ResourceFormat(sniffing: bytes) == expected)
    #expect(ResourceFormat(sniffing: bytes[...]) == expected)
    #expect(ResourceFormat(magic: bytes) == ([.jpeg, .png].contains(expected) ? expected : nil))
  }

  @Test(
    "Text formats are recognised by their beginnings",
    arguments: [
      ("<!DOCTYPE html><p>", .html), ("  \n<html lang=en>", .html), ("<HEAD>", .html),
      ("<!-- saved --><html>", .html), ("<?xml version=\"1.0\"?><html>", .html),
      ("<body>hello", .html), ("<!doctype html><svg><html>", .html),
      ("<svg xmlns=\"x\">", .svg), ("<?xml version='1.0'?>\n<svg>", .svg),
      ("<!DOCTYPE svg PUBLIC><svg>", .svg), ("<svg><foreignObject><html>", .svg),
      ("<!-- made by hand --><svg>", .svg),
      ("<?xml version='1.0'?><rss>", .text), ("{\"a\": 1}", .json), ("\u{feff} [1]", .json),
      ("[\"<html>\"]", .json), ("how to write <html>", .text), ("a\tb\r\n", .text),
      ("http://a/b.jpg\n", .text), (" \n ", .text), ("\u{feff}", .text), ("a\u{1b}[1mb", .text),
      ("a\u{0}b", .unknown), ("a\u{1}", .unknown),
    ] as [(String, ResourceFormat)])
  func textual(text: String, expected: ResourceFormat) {
    #expect(ResourceFormat(sniffing: Array(text.utf8)) == expected)
  }

  @Test(
    "The header of a PDF may be anywhere in the first 1,024 bytes, as readers accept it",
    arguments: [0x20, 0])
  func latePDF(filler: UInt8) {
    let marker = Array("%PDF-1.4".utf8)
    for (place, isFound) in [(0, true), (500, true), (508, true), (1_016, true), (1_024, false)] {
      let bytes = [UInt8](repeating: filler, count: place) + marker
      #expect((ResourceFormat(sniffing: bytes) == .pdf) == isFound, "\(place)")
      let head = Array(bytes.prefix(ResourceFormat.sniffLength))
      #expect((ResourceFormat(sniffing: head) == .pdf) == isFound, "\(place)")
      #expect(!isFound || ResourceFormat.neededLength(head) == nil)
    }
  }

  @Test(
    "The characters of a PDF header decide neither for web pages and JSON nor without a version",
    arguments: [
      ("<html><title>%PDF-1.4</title>", .html), ("[\"%PDF-1.4\"]", .json),
      ("<svg><desc>%PDF-1.4</desc>", .svg), ("http://a/100%PDF-a.jpg\n", .text),
      ("a%PDF-", .text), ("<br>Warning\n%PDF-1.4", .pdf),
    ] as [(String, ResourceFormat)])
  func charactersOfPDF(text: String, expected: ResourceFormat) {
    #expect(ResourceFormat(sniffing: Array(text.utf8)) == expected)
  }

  @Test(
    "Images that are rare on the web are recognised, and texts with their first letters are not",
    arguments: [
      ("P6\n# made by\n3 2\n255\n", .pnm), ("P1 2 2 1001", .pnm), ("Pf\n3 2\n-1.0\n", .pnm),
      ("P6", .text), ("P3 of 4 parts", .text), ("P62 3 4 ", .text), ("P7\nWIDTH 2", .text),
      ("P4\n3\n", .text), ("P2 1234567890 1 ", .text), ("Play 3 4 ", .text),
      ("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", .hdr), ("#?RGBE\n", .hdr), ("#? a comment", .text),
      ("v/1\u{1}\u{2}", .exr), ("DDS |\0\0\0", .dds), ("DDS files", .text),
      ("8BPS\0\u{1}", .psd), ("8BPS\0\u{2}", .psd), ("8BPS", .text),
      ("icns\0\0\u{1}", .icns), ("icns are icons", .text),
      ("\n\u{5}\u{1}\u{8}" + String(repeating: "\0", count: 124), .pcx), ("\n\u{5}\u{1}", .unknown),
    ] as [(String, ResourceFormat)])
  func rareImages(text: String, expected: ResourceFormat) {
    #expect(ResourceFormat(sniffing: Array(text.utf8)) == expected, "\(text)")
  }

  @Test("A file of an image that no decoder opens has a reason with the name of its format")
  func undecodedImages() {
    let sgi: [UInt8] = [0x01, 0xda, 1, 1, 0, 3, 0, 9]
    #expect(ResourceFormat(sniffing: sgi) == .sgi)
    #expect(ResourceFormat.sgi.reasonWithoutPreview == "imgdl does not read SGI files")
    #expect(ResourceFormat.exr.reasonWithoutPreview == "imgdl does not read OpenEXR files")
    #expect(ResourceFormat.html.reasonWithoutPreview == "no preview (text/html)")
    for format in ResourceFormat.allCases where format.isUndecodedImage {
      #expect(format.kind == .other && format.mediaType != "application/octet-stream")
    }
  }

  /// An SVG of 2,072 bytes, compressed by zlib 1.2.13 with a Huffman code of its own.
  private static let compressed = """
    H4sIAAAAAAACA62VywqDMBBFfyVM9yZR46Oo/1KsVcG2oqGxf1+VSEFdZWYTQrg5DAcuk42fmk3P7jXm0GjdXzk3xngm8N5DzX0hBJ8TwEx7100OvgDW
    VG3d6PVeZENVajblML9/13ML/nMBsEfbdTlcykQJGQJ797ey1Uvek8D3EEUBkSSjSOQsAYWVwNFKfIQ4WAlPKEgrEYWVyNFKeIQ4WIlPKEgrKYWVlKJB
    KUmDUhIr0qfQYinIDlkKtkQbBmtGkZhRFD2yFGyRNgzWTEJiJqHokqVImmFQZs5X+O7rHF4WfvEDMrvZyhgIAAA=
    """

  @Test("A compressed SVG is one, however it is compressed, and other compressed text is not")
  func compressedSVG() throws {
    let bytes = try #require(
      Data(base64Encoded: Self.compressed, options: .ignoreUnknownCharacters))
    for count in [bytes.count, 120] {
      #expect(ResourceFormat(sniffing: Array(bytes.prefix(count))) == .svgz)
    }
    // Stored, with a name in the header.
    func stored(_ text: String) -> [UInt8] {
      let length = text.utf8.count
      let block = [1, UInt8(length), 0, ~UInt8(length), 0xff] + Array(text.utf8)
      return [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3] + Array("a.svg\0".utf8) + block + [
        0, 0, 0, 0, 0, 0, 0, 0,
      ]
    }
    #expect(ResourceFormat(sniffing: stored("<?xml version='1.0'?><svg/>")) == .svgz)
    #expect(ResourceFormat(sniffing: stored("<rss><svg/></rss>")) == .gzip)
    // No beginning of a file, and no changed byte, is a reason to crash.
    for index in bytes.indices {
      _ = ResourceFormat(sniffing: bytes.prefix(index))
      var changed = Array(bytes)
      changed[index] ^= 0x55
      _ = ResourceFormat(sniffing: changed)
    }
  }

  @Test("A DICOM file is one although it begins like a TIFF, and cursors are no icons")
  func neighbours() {
    let tiff: [UInt8] = [0x49, 0x49, 0x2a, 0x00]
    let preamble = tiff + [UInt8](repeating: 0, count: 124)
    #expect(ResourceFormat(sniffing: preamble + Array("DICM".utf8)) == .dicom)
    #expect(ResourceFormat(sniffing: preamble) == .tiff)
    let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 0, count: 124)
    let dicom = jpeg + Array("DICM\u{2}\0\0\0UL".utf8)
    #expect(ResourceFormat(sniffing: dicom) == .dicom && ResourceFormat(magic: dicom) == .dicom)
    #expect(ResourceFormat(sniffing: jpeg + Array("DICM".utf8)) == .jpeg)
    for (type, format) in [(UInt8(1), ResourceFormat.ico), (2, .cur)] {
      let file: [UInt8] =
        [0, 0, type, 0, 1, 0, 16, 16, 0, 0, 1, 0, 1, 0, 9, 0, 0, 0, 22, 0, 0, 0]
      #expect(ResourceFormat(sniffing: file + [1, 2, 3]) == format)
    }
  }

  private static let entities = (0..<60).map { "<!ENTITY e\($0) '<a b=\"]>\"/>'>\n" }.joined()

  @Test(
    "An SVG may have a long prolog: comments, a DOCTYPE with entities",
    arguments: [
      "<?xml version=\"1.0\"?>\n<!-- \(String(repeating: "licence > ", count: 200))-->\n<svg x='1'>",
      "<!DOCTYPE svg PUBLIC \"-//W3C\" \"http://a/svg.dtd\" [\n\(entities)<!-- ]> -->\n]>\n<svg>",
      "\u{feff}<?pi \(String(repeating: "x", count: 1_100))?>\r\n<svg:svg xmlns:svg='x'>",
      "\(String(repeating: " ", count: 1_200))<svg/>",
    ])
  func lateSVG(text: String) {
    let bytes = Array(text.utf8)
    let head = Array(bytes.prefix(ResourceFormat.sniffLength))
    #expect(ResourceFormat(sniffing: head) == .text)
    #expect(ResourceFormat.hasOpenProlog(head))
    #expect(ResourceFormat(sniffing: bytes) == .svg)
    #expect(!ResourceFormat.hasOpenProlog(bytes))
    // Every beginning is open until the element is named, and none is a reason to crash.
    for count in stride(from: 0, to: bytes.count, by: 37) {
      _ = ResourceFormat(sniffing: bytes.prefix(count))
    }
  }

  @Test(
    "The content of a comment is not markup, also if the comment ends early or late",
    arguments: [20, 1_100])
  func comments(length: Int) {
    let filler = String(repeating: "x", count: length)
    for (text, format) in [
      ("<!-- not <html> <body> \(filler) --><svg/>", ResourceFormat.svg),
      ("<?xml version='1.0'?><!-- <!doctype html> \(filler) --><svg:svg>", .svg),
      ("<!-- no <svg> \(filler) --><html><p>", .html),
      ("<!-- no <svg> \(filler) -->\n<!DOCTYPE html>\n<p>", .html),
      ("<!-- <svg> or <html> \(filler) --><rss>", .text),
    ] {
      let bytes = Array(text.utf8)
      #expect(ResourceFormat(sniffing: bytes) == format, "\(text)")
      let head = Array(bytes.prefix(ResourceFormat.sniffLength))
      if head.count < bytes.count {
        #expect(ResourceFormat(sniffing: head) == .text && ResourceFormat.hasOpenProlog(head))
      }
    }
  }

  @Test("Text after a long prolog, or a prolog without an end, is not an SVG")
  func lateText() {
    let comment = "<!-- " + String(repeating: "x", count: 1_100)
    for text in [comment + "--><rss>", comment + "--> <svg in a sentence".replacing("<", with: "")]
    {
      #expect(ResourceFormat(sniffing: Array(text.utf8)) == .text, "\(text.suffix(20))")
      #expect(!ResourceFormat.hasOpenProlog(Array(text.utf8)))
    }
    let endless = Array((comment + String(repeating: "y", count: 80_000) + "--><svg>").utf8)
    #expect(ResourceFormat(sniffing: endless) == .text)
    #expect(!ResourceFormat.hasOpenProlog(endless), "no more is looked at than the limit")
  }

  @Test("An element with a very long name is not an SVG, for any number of bytes")
  func longName() {
    let name = "s" + String(repeating: "x", count: 200) + ":svg"
    for filler in [20, 300] {
      let bytes = Array("<!-- \(String(repeating: "x", count: filler)) --><\(name)>".utf8)
      for count in 1...bytes.count {
        let head = Array(bytes.prefix(count))
        #expect(ResourceFormat(sniffing: head) == .text, "\(count) bytes")
      }
      #expect(!ResourceFormat.hasOpenProlog(bytes))
    }
  }

  @Test(
    "Each format has an extension and a media type of its own", arguments: ResourceFormat.allCases)
  func names(format: ResourceFormat) {
    let others = ResourceFormat.allCases.filter { $0 != format }
    #expect(!others.contains { $0.fileExtension == format.fileExtension })
    #expect(!others.contains { $0.mediaType == format.mediaType })
    #expect(format.mediaType.split(separator: "/").count == 2)
    #expect(
      format.fileExtension.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7a).contains($0)
      })
  }

  @Test(
    "A URL promises the format of its extension",
    arguments: [
      ("a.jpg", .image), ("a.JPEG?x=.pdf", .image), ("a.pdf", .pdf), ("a.tar.7z", .archive),
      ("a.cbz", .archive), ("a", .anything), ("jpg", .anything), ("a.txt", .anything),
      ("a%2Ejpg", .image), ("", .anything), ("a.jpg/", .anything),
    ] as [(String, ResourceExpectation)])
  func expectation(path: String, expected: ResourceExpectation) throws {
    #expect(ResourceExpectation(try HTTPURL("http://a/\(path)")) == expected)
  }

  @Test("A tar archive of Unix V7 is recognised by the checksum of its header")
  func oldTar() {
    var head = [UInt8](repeating: 0, count: 512)
    head.replaceSubrange(0..<5, with: "a.png".utf8)
    head.replaceSubrange(124..<135, with: "00000000144".utf8)
    head.replaceSubrange(148..<156, with: repeatElement(0x20, count: 8))
    let sum = head.reduce(0) { $0 + Int($1) }
    let digits = String(sum, radix: 8)
    head.replaceSubrange(
      148..<156,
      with: Array((digits + "\u{0} ").utf8.prefix(8))
        + Array(repeating: 0x20, count: 8 - digits.count - 2))
    #expect(ResourceFormat(sniffing: head) == .tar)
    head[10] = 1
    #expect(ResourceFormat(sniffing: head) != .tar)
    #expect(ResourceFormat(sniffing: Array(head.prefix(500))) != .tar)
    #expect(ResourceFormat(sniffing: [UInt8](repeating: 0, count: 512)) == .unknown)
  }
}
