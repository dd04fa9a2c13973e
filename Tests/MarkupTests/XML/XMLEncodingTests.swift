import Markup
import Testing

@Suite("Encodings of XML") struct XMLEncodingTests {
  private static func wide(_ text: String, isBigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? "\u{feff}" : "") + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xff)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  /// A feed whose title is the given bytes.
  private static func feed(_ title: [UInt8], _ declaration: String = "") -> [UInt8] {
    Array("\(declaration)<rss><channel><title>".utf8) + title
      + Array("</title></channel></rss>".utf8)
  }

  private static func declared(_ name: String) -> String {
    "<?xml version=\"1.0\" encoding=\"\(name)\"?>"
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let title: String

    init(_ description: String, _ bytes: [UInt8], _ title: String) {
      (testDescription, self.bytes, self.title) = (description, bytes, title)
    }
  }

  private static let text = declared("UTF-16") + "<rss><channel><title>é日</title></channel></rss>"

  static let cases = [
    Case("UTF-8 without a declaration", feed(Array("é日".utf8)), "é日"),
    Case("UTF-8 with a mark", [0xef, 0xbb, 0xbf] + feed(Array("é".utf8), declared("utf-8")), "é"),
    Case(
      "space before the declaration", Array("\n \n".utf8) + feed([0x78], declared("utf-8")), "x"),
    Case("UTF-16 with a mark", wide(text, isBigEndian: true, mark: true), "é日"),
    Case("UTF-16 of the other order", wide(text, isBigEndian: false, mark: true), "é日"),
    Case("UTF-16 without a mark", wide(text, isBigEndian: true, mark: false), "é日"),
    Case(
      "UTF-16, little-endian, without a mark", wide(text, isBigEndian: false, mark: false), "é日"),
    Case("ISO 8859-1", feed([0xe9], declared("ISO-8859-1")), "é"),
    Case("windows-1252", feed([0x80, 0xe9], declared("windows-1252")), "€é"),
    Case("KOI8-R", feed([0xc3], declared("koi8-r")), "ц"),
    Case("Shift JIS", feed([0x82, 0xa0], declared("Shift_JIS")), "あ"),
    Case("single quotes", feed([0xe9], "<?xml version='1.0' encoding='latin1' ?>"), "é"),
    // Declarations that are wrong.
    Case("UTF-16 that is UTF-8", feed(Array("é".utf8), declared("UTF-16")), "é"),
    Case("UTF-8 that is windows-1252", feed([0x78, 0xe9], declared("utf-8")), "x\u{fffd}"),
    Case("nothing that is windows-1252", feed([0x78, 0xe9]), "xé"),
    Case("an unknown name", feed(Array("é".utf8), declared("no-such")), "é"),
    Case(
      "a mark against a declaration",
      [0xef, 0xbb, 0xbf] + feed(Array("é".utf8), declared("koi8-r")), "é"),
  ]

  @Test("The text is that of the mark, the declaration, or what fits", arguments: cases)
  func titles(_ subject: Case) throws {
    let page = try Page(subject.bytes)
    #expect(page.items.prefix(2) == [.rule(.feed), .title(subject.title)])
    #expect(page.items.count == (subject.title.contains("\u{fffd}") ? 3 : 2))
  }

  @Test("A document that is not in the stated UTF-8 has one remark with its first such line")
  func falseDeclarations() throws {
    let document = Self.feed([0x0a, 0xe9, 0x0a, 0xe9], Self.declared("utf-8") + "\n")
    for bytes in [document, [0xef, 0xbb, 0xbf] + document] {
      guard case .remark(let words, line: 3) = try Page(bytes).items.last else {
        Issue.record("\(try Page(bytes).items)")
        continue
      }
      #expect(words.hasPrefix("is not UTF-8") && words.contains("U+FFFD"))
    }
    #expect(try Page(Self.feed([0xe9], Self.declared("latin1"))).items.count == 2)
    // XML of another vocabulary has no items, and so no remark.
    #expect(throws: MarkupError.self) { try Page(Array("<?xml version='1.0'?><x>".utf8) + [0xe9]) }
  }
}
