import Manifests
import Markup
import Models
import Testing

@Suite("Recognition by content")
struct RecognitionTests {
  /// ASCII text in UTF-16, little-endian.
  private static func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }

  static let table: [(String, [UInt8], ManifestRecognition)] = [
    ("array", Array("[]".utf8), .list(.json)),
    ("object after a mark and white space", Array("\u{feff} \r\n\t{".utf8), .list(.json)),
    ("text in quotation marks", Array("\"http://h/\"".utf8), .list(.json)),
    ("JSON about HTML", Array("[\"<html>\"]".utf8), .list(.json)),
    ("JSON about PDF", Array("[\"http://h/%PDF-1.4\"]".utf8), .list(.json)),
    ("URL", Array("http://h/".utf8), .list(.text)),
    ("comment", Array("# list".utf8), .list(.text)),
    ("nothing", [], .list(.text)),
    ("blank", Array(" \n".utf8), .list(.text)),
    ("zip", Array("PK\u{3}\u{4}".utf8), .archive(.zip)),
    ("empty zip", Array("PK\u{5}\u{6}".utf8), .archive(.zip)),
    ("7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], .archive(.sevenZip)),
    ("gzip", [0x1f, 0x8b, 8], .archive(.gzip)), ("Zstandard", [0x28, 0xb5, 0x2f, 0xfd], .zstd),
    ("JPEG", [0xff, 0xd8, 0xff, 0xe0], .resource(.jpeg)),
    ("PNG", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], .resource(.png)),
    ("PDF", Array("%PDF-1.7".utf8), .resource(.pdf)),
    (
      "PDF behind a mail",
      Array("Subject: scan".utf8) + [UInt8](repeating: 0x0a, count: 990) + Array("%PDF-1.7".utf8),
      .resource(.pdf)
    ),
    ("list with the characters of a PDF", Array("http://h/100%PDF-a.jpg".utf8), .list(.text)),
    ("SVG", Array("<svg xmlns=\"x\">".utf8), .resource(.svg)),
    ("HTML", Array("<!DOCTYPE html><p>".utf8), .webPage),
    ("HTML after white space", Array("\n <HTML>".utf8), .webPage),
    ("XML", Array("<?xml version=\"1.0\"?><rss>".utf8), .xml(.feed)),
    ("feed without a declaration", Array("\u{feff}\n<rss version='2.0'>".utf8), .xml(.feed)),
    ("feed that quotes a page", Array("<rss><title>&lt;x <![CDATA[<html>".utf8), .xml(.feed)),
    ("feed with a prolog", Array("<?xml?><!-- <html> --><!DOCTYPE rss><rss>".utf8), .xml(.feed)),
    ("feed with entities", Array("<!DOCTYPE rss [<!ENTITY x 'y'>]><rss>".utf8), .xml(.feed)),
    ("Metalink with the type of a page", Array("<!DOCTYPE html><metalink>".utf8), .xml(.metalink)),
    ("feed with an unknown type", Array("<!DOCTYPE x [<!ENTITY y '>'>]>\n<rss>".utf8), .xml(.feed)),
    ("page with the type of a feed", Array("<!DOCTYPE rss><html>".utf8), .webPage),
    ("the type of a feed, cut off", Array("<!DOCTYPE rss [<!ENTITY x".utf8), .xml(.feed)),
    ("RSS 1.0", Array("<rdf:RDF xmlns=\"x\">".utf8), .xml(.feed)),
    ("Atom", Array("<feed xmlns=\"x\">".utf8), .xml(.feed)),
    ("sitemap", Array("<urlset>".utf8), .xml(.sitemap)),
    ("index of sitemaps", Array("<?xml?>\n<sitemapindex>".utf8), .xml(.sitemap)),
    ("Metalink", Array("<metalink xmlns='x'>".utf8), .xml(.metalink)),
    ("bucket", Array("<ListBucketResult>".utf8), .xml(.bucket)),
    (
      "XML of another vocabulary", Array("<?xml version=\"1.0\"?><other/>".utf8),
      .otherMarkup("other")
    ),
    ("URL in brackets", Array("<http://h/1>\n".utf8), .list(.text)),
    ("URL in brackets with spaces", Array("\n < HTTPS://h/1 >".utf8), .list(.text)),
    ("URL in brackets with its prefix", Array("<URL:http://h/1>".utf8), .list(.text)),
    ("a part of a page", Array("<p><img src=a.png>".utf8), .webPage),
    ("a part of a page behind a comment", Array("<!-- x -->\n<IMG src=a>".utf8), .webPage),
    (
      "bookmarks", Array("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>".utf8), .webPage
    ),
    ("brackets", Array("<<< 1 >>>".utf8), .unknown),
    (
      "XML with a long prolog",
      Array(("<?xml version=\"1.0\"?><!--" + String(repeating: "x", count: 490)).utf8), .xml(nil)
    ),
    ("UTF-16 with mark", [0xff, 0xfe, 0x5b, 0], .list(.json)),
    ("UTF-16 big with mark", [0xfe, 0xff, 0, 0x5b], .list(.json)),
    ("binary data like UTF-16", [1, 0, 2, 0, 3, 0, 4, 0], .encoding("UTF-16")),
    ("SVG in UTF-16", wide("<?xml version=\"1.0\"?><svg/>"), .resource(.svg)),
    ("SVG in UTF-16 with mark", [0xff, 0xfe] + wide("<svg/>"), .resource(.svg)),
    ("a page in UTF-16", [0xff, 0xfe] + wide("<html>"), .webPage),
    ("a feed in UTF-16", [0xff, 0xfe] + wide("<rss/>"), .xml(.feed)),
    ("UTF-16", [0x5b, 0, 0x22, 0, 0x61, 0], .list(.json)),
    ("UTF-16 big", [0, 0x68, 0, 0x74], .list(.text)),
    ("a part of a page in UTF-16", wide("<p><img src=a.png>"), .webPage),
    ("UTF-32 with mark", [0xff, 0xfe, 0, 0, 0x5b, 0, 0, 0], .encoding("UTF-32")),
    ("UTF-32", [0x5b, 0, 0, 0, 0x5d, 0, 0, 0], .encoding("UTF-32")),
    ("UTF-32 big", [0, 0, 0, 0x5b, 0, 0, 0, 0x5d], .encoding("UTF-32")),
    ("MP4", [0, 0, 0, 0x20] + Array("ftypisom".utf8), .unknown),
    ("ELF", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0], .unknown),
  ]

  @Test("The format of the whole file as a resource takes precedence over its first bytes")
  func whole() {
    let comment = Array("<!-- a licence".utf8)
    #expect(ManifestRecognition.recognise(head: comment) == .unknown)
    #expect(ManifestRecognition.recognise(head: comment, of: .svg) == .resource(.svg))
    #expect(ManifestRecognition.recognise(head: comment, of: .html) == .webPage)
    #expect(ManifestRecognition.recognise(head: comment, of: .zip) == .archive(.zip))
    #expect(ManifestRecognition.recognise(head: Array("[".utf8), of: .json) == .list(.json))
  }

  @Test("A list with a stray NUL byte or control character is a list; bytes that hold many are not")
  func strayControls() {
    for (text, expected) in [
      ("http://h/1\nhttp://h/2\0\n", ManifestRecognition.list(.text)),
      ("# list\0\n\n HTTPS://h/1\n", .list(.text)), ("\u{feff}http://h/1\0", .list(.text)),
      ("url,name\nhttp://h/1,a\0\nhttp://h/2,b\n", .list(.text)),
      ("name;url\na\0;http://h/1\n", .list(.text)), ("a title\0\nof words\nhttp://h/1", .unknown),
      ("[\"http://h/\0\"]", .list(.json)), ("<html><p>\0 text of a page", .webPage),
      ("some words and a NUL\0", .unknown), ("http://h/1\0\0\0\0", .unknown),
      ("http://h/123456789\0\u{1}", .list(.text)), ("PK\0 and a text behind it", .unknown),
      ("url,name\nhttp://h/1,a\u{1}b\nhttp://h/2,c\n", .list(.text)),
      ("url,name\n/1.png,a\u{8}b\n/2.png,c\n", .list(.text)),
      ("/ü/1.png\n/\u{2}2.png", .list(.text)),
      ("<html><p>\u{3} text of a page", .webPage), ("<rss>\u{1}", .xml(.feed)),
      ("http://h/1\u{1}\u{2}\u{3}\u{4}", .unknown), ("PK\u{3}\u{4}http://h/1", .archive(.zip)),
    ] {
      #expect(
        ManifestRecognition.recognise(head: Array(text.utf8)) == expected,
        "\(text.debugDescription)")
    }
  }

  @Test("A NUL byte invalidates its line of a text list, and the rest of JSON, with the position")
  func placesOfNULs() {
    let text = Reading("http://h/1\nhttp://h/2\0x\n#\0\nhttp://h/3\tTi\0tle\nhttp://h/4\n")
    #expect(text.entries.map(\.address) == ["http://h/1", "http://h/4"])
    #expect(
      text.problems.map(\.description) == [
        "list, line 2: has a NUL byte in it", "list, line 4: has a NUL byte in it",
      ])
    let late = String(repeating: "http://h/1\n", count: 100) + "http://h/2\0\n"
    #expect(Reading(late).problems.map(\.line) == [101])
    let json = Reading("[\"http://h/1\",\n\"http://h/\0\"]")
    #expect(json.error?.line == 2 && json.error?.code == .notJSON)
  }

  @Test("Bytes with control characters that are no UTF-8 are a list only if they name a URL")
  func controlsInOtherEncodings() {
    let words: [UInt8] = Array("w".utf8) + [0xf6] + Array("rds and more".utf8) + [0x01]
    #expect(ManifestRecognition.recognise(head: words) == .unknown)
    let list = Array("http://h/1\n".utf8) + words
    #expect(ManifestRecognition.recognise(head: list) == .list(.text))
  }

  @Test("A control character costs no more than its line, and names and titles lose it")
  func placesOfControls() {
    let table = Reading("url,name\nhttp://h/1.png,a\u{1}b\nhttp://h/2.png,c\n")
    #expect(table.format == .csv && table.error == nil)
    #expect(table.entries.map(\.address) == ["http://h/1.png", "http://h/2.png"])
    let text = Reading("http://h/1\u{2}x\nhttp://h/2\tA \u{3}title\nhttp://h/3\n")
    #expect(text.format == .text)
    #expect(text.entries.map(\.address) == ["http://h/2", "http://h/3"])
    #expect(text.entries.first?.title == "A title")
    #expect(text.problems.map(\.line) == [1])
    let aria2 = Reading("http://h/1\n  out=a\u{4}.png\nhttp://h/2\n  out=b.png\n")
    #expect(aria2.format == .aria2)
    #expect(aria2.entries.map(\.address) == ["http://h/1", "http://h/2"])
  }

  @Test("The format is recognised by the first bytes", arguments: table)
  func recognise(name: String, head: [UInt8], expected: ManifestRecognition) {
    #expect(ManifestRecognition.recognise(head: head) == expected, "\(name)")
  }

  @Test(
    "A file that is not a list is refused, and the error names what it is",
    arguments: [
      (
        "<!doctype html><title>404</title>", ManifestError.Code.webPage,
        "this is a web page, not a list"
      ),
      ("PK\u{3}\u{4}....", .notAList, "the content is ZIP, not a list"),
      ("%PDF-1.4", .notAList, "the content is PDF, not a list"),
      ("<rss/>", .notAList, "this is an XML document, not a list in JSON or text"),
      ("<other/>", .notAList, "this is an XML document, not a list in JSON or text"),
      ("h\0\0\0t\0\0\0", .encoding, "the text is UTF-32; convert it to UTF-8 first"),
    ])
  func refused(text: String, code: ManifestError.Code, reason: String) {
    let reading = Reading(text)
    #expect(reading.error?.code == code)
    #expect(reading.error?.reason == reason)
    #expect(reading.error?.description == "list: \(reason)")
  }

  @Test(
    "A web page and another encoding are refused, also if a format is demanded",
    arguments: [ManifestFormat.json, .jsonLines, .text, .series])
  func demanded(format: ManifestFormat) {
    #expect(Reading("<html>", format: format).error?.code == .webPage)
    #expect(
      Reading([0xff, 0xfe, 0, 0, 0x5b, 0, 0, 0], format: format).error?.code == .encoding)
  }

  @Test(
    "An image is refused as a list, also if a format is demanded, and the error names its format",
    arguments: [ManifestFormat.json, .jsonLines, .text, .series])
  func demandedOfPictures(format: ManifestFormat) {
    let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 0x10] + Array("JFIF".utf8) + [0, 1]
    let error = Reading(jpeg, format: format).error
    #expect(error?.code == .notAList)
    #expect(
      error?.description
        == "list: the content is JPEG, not a list of the form \"\(format.rawValue)\"")
  }

  @Test("Text that begins like an image is a list if a list is demanded")
  func textLikePicture() {
    let list = "GIF89a.gif\nhttp://h/1.gif\n"
    #expect(Reading(list).error?.code == .notAList)
    #expect(Reading(list, format: .text).error == nil)
  }

  @Test("A demanded format is used")
  func forced() {
    #expect(Reading("[\"http://h/1\"]", format: .text).problemCount == 1)
    #expect(Reading("http://h/1", format: .json).error?.code == .notJSON)
    #expect(Reading("", format: .json).error?.code == .truncated)
    #expect(Reading("[\"http://h/1\"]", format: .zip).error?.code == .notAList)
  }

  @Test("The formats have the names of --format")
  func names() {
    #expect(
      ManifestFormat.allCases.map(\.rawValue) == [
        "json", "json-lines", "text", "csv", "tsv", "aria2", "gallery-dl", "series", "iiif", "zip",
        "html", "listing", "feed", "sitemap", "metalink", "bucket", "resource",
      ])
  }

  @Test("A NUL byte in a table invalidates at most its row")
  func tableWithNUL() {
    let reading = Reading("url,name\nhttp://h/1,a\0\nhttp://h/\0,c\nhttp://h/2,b\n")
    #expect(reading.format == .csv && reading.urls == ["http://h/1", "http://h/2"])
    #expect(reading.entries.map(\.name) == ["a", "b"] && reading.problems.map(\.line) == [3])
  }
}
