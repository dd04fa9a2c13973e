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

  @Test("Only the first bytes count")
  func prefix() {
    let late = [UInt8](repeating: 0x20, count: ResourceFormat.sniffLength) + Array("%PDF-".utf8)
    #expect(ResourceFormat(sniffing: late) == .text)
  }

  private static let entities = (0..<60).map { "<!ENTITY e\($0) '<a b=\"]>\"/>'>\n" }.joined()

  @Test(
    "An SVG may have a long prolog: comments, a DOCTYPE with entities",
    arguments: [
      "<?xml version=\"1.0\"?>\n<!-- \(String(repeating: "licence > ", count: 200))-->\n<svg x='1'>",
      "<!DOCTYPE svg PUBLIC \"-//W3C\" \"http://a/svg.dtd\" [\n\(entities)<!-- ]> -->\n]>\n<svg>",
      "\u{feff}<?pi \(String(repeating: "x", count: 600))?>\r\n<svg:svg xmlns:svg='x'>",
      "\(String(repeating: " ", count: 700))<svg/>",
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
    arguments: [20, 600])
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
    let comment = "<!-- " + String(repeating: "x", count: 600)
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
}
