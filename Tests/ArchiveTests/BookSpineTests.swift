import Archive
import TestSupport
import Testing

@Suite("The reading order of an EPUB")
struct BookSpineTests {
  private static let container = """
    <?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>
    """

  private static let package = """
    <?xml version="1.0"?><opf:package xmlns:opf="http://www.idpf.org/2007/opf"><!-- <itemref idref="x"/> -->
    <opf:manifest>
    <opf:item id="a" href="p%200.xhtml"/><opf:item id='b' href='sub/p1.xhtml'/>
    <opf:item id="c" href="p2.xhtml"/><opf:item id="d" href="images/direct.png"/>
    <opf:item id="cover" href="images/z-cover.png" properties="cover-image"/>
    </opf:manifest>
    <opf:spine><opf:itemref idref="c"/><opf:itemref idref="b"/><opf:itemref idref="d"/>
    <opf:itemref idref="missing"/><opf:itemref idref="a"/></opf:spine></opf:package>
    """

  private static let book = [
    ("mimetype", "application/epub+zip"), ("META-INF/container.xml", container),
    ("OEBPS/content.opf", package),
    ("OEBPS/p 0.xhtml", "<img src='images/a%26b.png'/><img src='images/first.png'/>"),
    ("OEBPS/sub/p1.xhtml", "<p>1 < 2</p><svg:image xlink:href = \"../images/kx.png#x\"/>"),
    (
      "OEBPS/p2.xhtml",
      "<html><IMG alt='>' src='images/last.png'><img src='images/first.png'></html>"
    ),
  ]

  private static let images = [
    "a&b", "direct", "first", "kx", "last", "unnamed10", "unnamed2", "z-cover",
  ].map { "OEBPS/images/\($0).png" }

  private func spine(_ entries: [(String, String)]) -> BookSpine {
    var spine = BookSpine()
    for (name, text) in entries where spine.wants(name) { spine.add(Array(text.utf8), of: name) }
    return spine
  }

  @Test("Images are in the order of the documents; a cover is first, and what none names is last")
  func order() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<10 {
      let ordered = spine(Self.book).ordered(Self.images.shuffled(using: &generator)) { $0 }
      #expect(
        ordered?.map { $0.dropFirst(13).dropLast(4) } == [
          "z-cover", "last", "first", "kx", "direct", "a&b", "unnamed2", "unnamed10",
        ])
    }
  }

  @Test("Values without quotation marks are read as browsers read them")
  func unquoted() {
    var book = Self.book
    book[3].1 = "<img src=images/a%26b.png alt=x/><img class=y src=images/first.png>"
    book[4].1 = "<svg:image xlink:href = ../images/kx.png#x/>"
    book[5].1 = "<img src=images/last.png /><img src=images/first.png alt=a>b>"
    let expected = spine(Self.book).ordered(Self.images) { $0 }
    #expect(spine(book).ordered(Self.images) { $0 } == expected)
  }

  @Test("The media type of a book may be elsewhere, or missing", arguments: [true, false])
  func displacedType(isMissing: Bool) {
    let entries = Self.book.dropFirst() + (isMissing ? [] : Self.book.prefix(1))
    let expected = spine(Self.book).ordered(Self.images) { $0 }
    #expect(spine(entries.reversed()).ordered(Self.images) { $0 } == expected)
    #expect(spine(Array(entries)).ordered(Self.images) { $0 } == expected)
  }

  @Test("Links may have the separators of Windows")
  func backslashes() {
    let entries = Self.book.map { ($0.0, $0.1.replacing("images/", with: #"images\"#)) }
    #expect(
      spine(entries).ordered(Self.images) { $0 } == spine(Self.book).ordered(Self.images) { $0 })
  }

  @Test("The package may be in UTF-16, and be the first one that is there")
  func packages() {
    let expected = spine(Self.book).ordered(Self.images) { $0 }
    for isBigEndian in [true, false] {
      var wide = spine(Self.book.filter { $0.0 != "OEBPS/content.opf" })
      let units = Array("\u{feff}\(Self.package)".utf16)
      let bytes = units.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
        return isBigEndian ? [high, low] : [low, high]
      }
      wide.add(bytes, of: "OEBPS/content.opf")
      #expect(wide.ordered(Self.images) { $0 } == expected)
    }
    let entries = Self.book.map {
      ($0.0, $0.1.replacing("<rootfiles>", with: "<rootfiles><rootfile full-path='missing.opf'/>"))
    }
    #expect(spine(entries).ordered(Self.images) { $0 } == expected)
  }

  @Test("Names may contain percent signs, and images may be backgrounds")
  func unusualLinks() {
    let expected = spine(Self.book).ordered(Self.images) { $0 }
    let stored = Self.book.map { ($0.0.replacing(" ", with: "%20"), $0.1) }
    let images = Self.images.map { $0.replacing("&", with: "%26") }
    #expect(
      spine(stored).ordered(images) { $0 } == expected?.map { $0.replacing("&", with: "%26") })
    let backgrounds = Self.book.map { name, text in
      (
        name,
        text.replacing(
          "<img src='images/a%26b.png'/>",
          with: "<div style=\"color:red;background-image: url( 'images/a%26b.png' )\"></div>")
      )
    }
    #expect(spine(backgrounds).ordered(Self.images) { $0 } == expected)
  }

  @Test("A book states which of its entries are encrypted")
  func encryption() {
    let encryption = """
      <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
      <enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>
      <enc:CipherData><enc:CipherReference URI="OEBPS/font.otf"/></enc:CipherData></enc:EncryptedData>
      <enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>
      <enc:CipherData><enc:CipherReference URI="OEBPS/a%20b.png"/></enc:CipherData></enc:EncryptedData>
      </encryption>
      """
    #expect(
      spine(Self.book + [("META-INF/encryption.xml", encryption)]).encryptedNames
        == ["OEBPS/a b.png"])
    #expect(spine(Self.book).encryptedNames.isEmpty)
    #expect(spine([("META-INF/encryption.xml", encryption)]).encryptedNames.isEmpty)
  }

  @Test(
    "Without a spine, or in another archive, nothing is ordered",
    arguments: [["mimetype", "META-INF/container.xml"], ["OEBPS/content.opf"], ["other"]])
  func noBook(missing: [String]) {
    var entries = Self.book.filter { !missing.contains($0.0) }
    if missing == ["other"] { entries[0].1 = "application/zip" }
    #expect(spine(entries).ordered(Self.images) { $0 } == nil)
  }

  @Test("Any bytes in place of the texts are read to their end")
  func anyBytes() {
    var generator = SeededGenerator(seed: 8)
    let alphabet = Array("<>!-[]/='\"&#;:a 0".utf8)
    for _ in 0..<2_000 {
      var spine = BookSpine()
      let text = (0..<200).compactMap { _ in alphabet.randomElement(using: &generator) }
      spine.add(Array("application/epub+zip".utf8), of: "mimetype")
      spine.add(text, of: "content.opf")
      _ = spine.ordered(Self.images) { $0 }
    }
  }
}
