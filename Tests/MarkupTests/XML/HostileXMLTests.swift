import Markup
import MarkupSandbox
import RenderMessages
import SystemCalls
import TestSupport
import Testing

@Suite("Hostile XML") struct HostileXMLTests {
  static let feed = """
    <?xml version="1.0" encoding="utf-8"?><!-- x --><!DOCTYPE rss>
    <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T &#8364; é</title><item><title><![CDATA[A <b>]]></title>
    <enclosure url="http://h/a.jpg" length="1"/><media:group><media:content url='b.jpg?x&amp;y' width="1"/>
    </media:group></item><item><?x y?><media:thumbnail url="c.jpg"/></item></channel></rss>

    """

  private static let confined = MarkupBackend.confined.reader

  /// Reads a document in a worker.
  private func read(
    _ bytes: [UInt8], _ request: MarkupRequest = MarkupRequest(rule: .feed),
    _ reader: any MarkupReader = confined
  ) throws -> (items: [MarkupItem], error: MarkupError?) {
    let folder = try TemporaryFolder()
    let file = try FileSystem.open(try folder.write("feed.xml", bytes))
    var items: [MarkupItem] = []
    do throws(MarkupError) {
      try reader.read(file, request) { (batch) throws(MarkupError) in items += batch }
      return (items, nil)
    } catch {
      return (items, error)
    }
  }

  private func read(_ text: String) throws -> (items: [MarkupItem], error: MarkupError?) {
    try read(Array(text.utf8))
  }

  @Test("A feed can end at every byte: what came before is kept, and one problem says so")
  func truncated() throws {
    let bytes = Array(Self.feed.utf8)
    let whole = try read(bytes)
    #expect(whole.error == nil && whole.items.count == 5)
    let end = bytes.count - 2
    for length in 0..<end {
      let (items, error) = try read(Array(bytes.prefix(length)))
      if let error {
        #expect(error.code == .syntax && items.isEmpty, "\(length): \(error)")
      } else {
        guard case .truncation(let problem) = items.last else {
          Issue.record("\(length): \(items)")
          continue
        }
        #expect(problem.contains("line "))
        #expect(items.dropLast().elementsEqual(whole.items.prefix(items.count - 1)), "\(length)")
      }
    }
  }

  @Test(
    "The problem of a feed that ends early names the element in which it ends",
    arguments: [
      ("<item><title>half", "title"), ("<item>", "item"), ("<item><enclosure url=\"a", "item"),
      ("<![CDATA[x", "channel"), ("<!-- x", "channel"), ("<title>&am", "title"),
      ("<title>x</ti", "title"),
    ])
  func ending(_ end: String, _ element: String) throws {
    let (items, _) = try read("<rss><channel><title>F</title>\n" + end)
    let problem =
      "the XML is not well-formed in line 2: the document ends early, inside of the element <\(element)>"
    #expect(items.last == .truncation(problem), "\(items)")
    let (others, _) = try read("<rss><channel>\n<item></channel></rss>")
    guard case .problem(let other) = others.last else {
      Issue.record("\(others)")
      return
    }
    #expect(!other.contains("ends early") && other.contains("item"))
  }

  @Test("Random changes of a feed are read, or refused as what they are")
  func mutations() throws {
    var generator = SeededGenerator(seed: 5)
    let original = Array(Self.feed.utf8)
    for round in 0..<2_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.removeSubrange(index..<min(bytes.count, index + 5))
        default:
          let other = Int.random(in: 0..<original.count, using: &generator)
          bytes.insert(contentsOf: original[other..<min(original.count, other + 30)], at: index)
        }
      }
      let rules: [MarkupRule] = [.feed, .sitemap, .metalink, .bucket]
      let request = MarkupRequest(rule: rules[round % 4], url: "http://h/")
      let (_, error) = try read(bytes, request)
      #expect(
        error == nil || error?.code == .syntax || error?.code == .unsupported,
        "\(round): \(error?.description ?? "")")
    }
  }

  @Test("Entities that multiply cost nothing")
  func manyEntities() throws {
    var declarations = "<!ENTITY l0 'lol'>"
    for level in 1..<20 {
      let references = String(repeating: "&l\(level - 1);", count: 10)
      declarations += "<!ENTITY l\(level) '\(references)'>"
    }
    for use in ["<title>&l19;</title>", "<item><enclosure url='&l19;'/></item>"] {
      let (items, error) = try read(
        "<!DOCTYPE rss [\(declarations)]><rss><channel>\(use)</channel></rss>")
      #expect(error == nil && items.count == 2)
      guard case .problem(let problem) = items.last else {
        Issue.record("\(items)")
        continue
      }
      #expect(problem.contains("'l19' not defined"))
    }
    // One large entity that is used often.
    let large = String(repeating: "x", count: 100_000)
    let uses = String(repeating: "&l;", count: 100_000)
    let (items, _) = try read(
      "<!DOCTYPE rss [<!ENTITY l '\(large)'>]><rss><channel><title>\(uses)</title></channel></rss>")
    #expect(items.count == 2)
  }

  @Test("Files and servers that a document names are not read")
  func external() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", Array("SECRET".utf8))
    for document in [
      "<!DOCTYPE rss [<!ENTITY x SYSTEM 'file://\(path)'>]><rss><channel><title>&x;</title></channel></rss>",
      "<!DOCTYPE rss SYSTEM 'file://\(path)'><rss><channel><title>&x;T</title></channel></rss>",
      "<!DOCTYPE rss [<!ENTITY % x SYSTEM 'file://\(path)'>%x;]><rss><channel><title>T</title></channel></rss>",
      "<rss xmlns:xi='http://www.w3.org/2001/XInclude'><channel><title><xi:include parse='text' href='file://\(path)'/>T</title></channel></rss>",
    ] {
      // In this process, where nothing but the parser keeps the file closed.
      for reader in [MarkupBackend.direct.reader, Self.confined] {
        let (items, error) = try read(Array(document.utf8), MarkupRequest(), reader)
        #expect(items.first == .rule(.feed) || error?.code == .syntax)
        #expect(!"\(items)".contains("SECRET"))
      }
    }
  }

  @Test("Many items, elements, mirrors and long texts are read or bounded")
  func many() throws {
    let items = (0..<20_000).map { "<item><enclosure url='\($0).jpg'/></item>" }.joined()
    let (found, error) = try read("<rss><channel>\(items)</channel></rss>")
    #expect(error == nil && found.count == 20_001, "\(error?.description ?? "")")
    #expect(found.last == .entry(MarkupEntry(url: "19999.jpg")))
    let one = (0..<11_000).map { "<enclosure url='\($0).jpg'/>" }.joined()
    let bounded = try read("<rss><channel><item>\(one)</item></channel></rss>")
    #expect(bounded.error == nil && bounded.items.count == 10_001)
    let deep = try read("<rss>" + String(repeating: "<a>", count: 20_000))
    #expect(deep.error?.code == .limit)
    let long = String(repeating: "x", count: 11 << 20)
    let texts = try read("<rss><channel><title>\(long)</title><x y='\(long)'/></channel></rss>")
    #expect(texts.error == nil && texts.items.count == 2)
  }

  @Test("A document that takes too long costs one document")
  func slow() throws {
    let reader = SandboxedMarkupReader(
      workers: ReadingWorkers(.markup(seconds: 1)))
    let elements = String(repeating: "<a/>", count: 8_000_000)
    let (_, error) = try read(
      Array("<rss>\(elements)</rss>".utf8), MarkupRequest(rule: .feed), reader)
    #expect(error?.code == .limit)
    #expect(
      error?.description.contains("limits.markupSeconds") == true, "\(String(describing: error))")
    #expect(try read(Array(Self.feed.utf8), MarkupRequest(), reader).items.count == 5)
  }

  @Test("Tags with too many attributes are refused at once, and others with as many bytes are not")
  func attributes() throws {
    let attributes = (0..<1_000_000).map { " a\($0)=''" }.joined()
    let (_, error) = try read("<!DOCTYPE rss [<!-- don't -->]><rss><x\(attributes)/></rss>")
    #expect(error?.code == .limit && error?.description.contains("attributes") == true)
    // Without the refusal, the worker uses up its processor time, which is another error.
    let one = "<x a='1' b=\">='\" c='3'/>"
    for other in [
      "<!-- \(attributes) -->", "<![CDATA[<x \(attributes)>]]>", "<?x \(attributes)?>",
      "<!--'--><y>'=\(attributes)</y>", String(repeating: one, count: 100_000),
    ] {
      let (items, error) = try read("<!DOCTYPE rss [<!-- don't -->]><rss>\(other)</rss>")
      #expect(error == nil && items.first == .rule(.feed), "\(other.prefix(20)): \(error as Any)")
    }
  }

  @Test("An entry whose URL is longer than an attribute may be is a problem")
  func longAttribute() throws {
    let long = String(repeating: "x", count: 2 << 20)
    for limits in [MarkupLimits(), MarkupLimits(textLength: 10)] {
      let (items, error) = try read(
        Array(
          "<rss><channel><item><enclosure url='http://h/\(long)' type='image/png'/></item></channel></rss>"
            .utf8),
        MarkupRequest(rule: .feed, limits: limits))
      guard error == nil, items.count == 2, case .problem(let problem) = items[1] else {
        Issue.record("\(items.count) items, \(error as Any)")
        continue
      }
      #expect(problem.contains("more than 65536 bytes"), "\(problem.prefix(200))")
    }
  }

  @Test("A next page or a linked document whose URL is too long is no entry that cannot be used")
  func longLinks() throws {
    let long = String(repeating: "x", count: 70_000)
    let feed = "<feed><link rel='next' href='\(long)'/></feed>"
    let index = "<sitemapindex><sitemap><loc>http://h/\(long)</loc></sitemap></sitemapindex>"
    for (text, rule, words) in [
      (feed, MarkupRule.feed, "names a next page that has a URL of more than 65536 bytes"),
      (index, .sitemap, "links to a document that has a URL of more than 65536 bytes"),
    ] {
      let (items, error) = try read(Array(text.utf8), MarkupRequest(rule: rule))
      guard error == nil, case .remark(let reason, line: nil)? = items.last else {
        Issue.record("\(items.count) items, \(error as Any)")
        continue
      }
      #expect(reason.hasPrefix(words))
    }
  }

  @Test("A document that uses an entity of its own is told that they are not used")
  func ownEntity() throws {
    let (items, _) = try read(
      "<!DOCTYPE rss [<!ENTITY x 'y'>]><rss><channel><title>&x;</title></channel></rss>")
    #expect(
      items.last
        == .problem(
          "the XML cannot be read in line 1: Entity 'x' not defined; imgdl does not use entities that a document "
            + "declares, only those of XML and HTML; the rest of the document is not read"))
  }

  @Test("A limit of items is kept")
  func limits() throws {
    let items = (0..<1_000).map { "<item><enclosure url='\($0).jpg'/></item>" }.joined()
    let document = Array("<rss><channel>\(items)</channel></rss>".utf8)
    for limit in [0, 1, 256, 999, 1_000] {
      let (found, error) = try read(
        document, MarkupRequest(limits: MarkupLimits(items: limit)))
      #expect(found.count == limit + 1)
      #expect(error?.code == (limit < 1_000 ? .limit : nil))
    }
  }
}
