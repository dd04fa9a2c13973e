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
