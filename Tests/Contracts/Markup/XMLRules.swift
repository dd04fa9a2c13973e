import Markup
import Testing

private func rule(
  _ sentence: String, _ check: @escaping @Sendable (MarkupFixture) throws -> Void
) -> MarkupContractRule {
  MarkupContractRule(sentence, check)
}

private func entry(_ url: String, _ change: (inout MarkupEntry) -> Void = { _ in }) -> MarkupItem {
  var entry = MarkupEntry(url: url)
  change(&entry)
  return .entry(entry)
}

extension MarkupContract {
  static let xmlRules = [
    rule("a feed yields its rule, its title, and the enclosures of its items in order") {
      (fixture) throws in
      let feed = """
        <?xml version="1.0"?><rss version="2.0"><channel><title>Birds &amp; trees</title>
        <item><title>One</title><enclosure url="a.jpg" type="image/jpeg" length="12"/></item>
        <item><enclosure url="b.jpg?x=1&amp;y=2" type="image/jpeg" length="0"/></item></channel></rss>
        """
      #expect(
        try fixture.items(feed) == [
          .rule(.feed), .title("Birds & trees"),
          entry("a.jpg") {
            $0.title = "One"
            $0.byteCount = 12
          }, entry("b.jpg?x=1&y=2"),
        ])
    },
    rule("the first element decides about the rule, and a demanded rule must be that") {
      (fixture) throws in
      for (document, expected) in [
        ("<rss/>", MarkupRule.feed), ("<feed xmlns='http://www.w3.org/2005/Atom'/>", .feed),
        ("<urlset/>", .sitemap), ("<sitemapindex/>", .sitemap), ("<metalink/>", .metalink),
        ("<?xml version='1.0'?><ListBucketResult/>", .bucket),
        ("<!DOCTYPE html><!-- <html> --><metalink/>", .metalink),
        ("<!DOCTYPE x [<!ENTITY y '>'>]>\n<rss/>", .feed),
      ] {
        #expect(try fixture.items(document) == [.rule(expected)])
        #expect(
          try fixture.items(document, MarkupRequest(rule: expected)) == [.rule(expected)])
        let other: MarkupRule = expected == .feed ? .sitemap : .feed
        let (error, items) = try fixture.failure(
          Array(document.utf8), MarkupRequest(rule: other))
        #expect(error?.code == .syntax && items.isEmpty)
        #expect(
          error?.description == "the document is a \(expected.rawValue), not a \(other.rawValue)")
      }
    },
    rule("a web page with the document type of a feed is a web page") { (fixture) throws in
      #expect(try fixture.items("<!DOCTYPE rss><html><p>x") == [.rule(.html)])
    },
    rule("XML of another vocabulary is refused") { (fixture) throws in
      let (error, items) = try fixture.failure(
        Array("<?xml version='1.0'?><data><item/></data>".utf8), MarkupRequest())
      #expect(error?.code == .unsupported && items.isEmpty)
      #expect(error?.description.contains("<data>") == true)
    },
    rule(
      "a document that is not well-formed yields the entries before the error, and one problem with the line"
    ) {
      (fixture) throws in
      let feed = "<rss><channel>\n<item><enclosure url='a.jpg'/></item>\n<item></channel>\n</rss>"
      let items = try fixture.items(feed)
      #expect(items.prefix(2) == [.rule(.feed), entry("a.jpg")] && items.count == 3)
      guard case .problem(let problem) = items.last else {
        Issue.record("no problem")
        return
      }
      #expect(problem.contains("not well-formed in line 3") && problem.contains("item"))
      let (error, found) = try fixture.failure(
        Array(feed.utf8), MarkupRequest(rejectsMalformed: true))
      #expect(error?.code == .syntax && found.count <= 2)
      #expect(error?.description.contains("not well-formed in line 3") == true)
      for nothing in ["", " ", "text", "<", "<?xml version='1.0'?>", "<rss"] {
        let (error, items) = try fixture.failure(
          Array(nothing.utf8), MarkupRequest(rule: .feed))
        #expect(error?.code == .syntax && items.isEmpty, "\(nothing)")
      }
    },
    rule("XML that is nested more deeply than the limit is refused after the items before") {
      (fixture) throws in
      func nested(_ depth: Int) -> [UInt8] {
        Array(
          ("<rss><channel><item><enclosure url='a.jpg'/></item>"
            + String(repeating: "<x>", count: depth - 2)
            + String(repeating: "</x>", count: depth - 2)
            + "</channel></rss>").utf8)
      }
      for depth in [10, 512, 5_000] {
        let request = MarkupRequest(limits: MarkupLimits(depth: depth))
        #expect(try fixture.failure(nested(depth), request).error == nil)
        let (error, items) = try fixture.failure(nested(depth + 1), request)
        #expect(error?.code == .limit && items == [.rule(.feed), entry("a.jpg")])
        #expect(error?.description.contains("\(depth) deep") == true)
      }
    },
    rule("entities that a document declares are not used") { (fixture) throws in
      for declaration in [
        "<!ENTITY x 'y'>", "<!ENTITY x SYSTEM 'file:///etc/hostname'>",
        "<!ENTITY x SYSTEM 'http://127.0.0.1:1/x'>",
        "<!ENTITY % x SYSTEM 'http://127.0.0.1:1/x'> %x;",
      ] {
        let feed = """
          <!DOCTYPE rss [\(declaration)]><rss><channel><item><title>A&x;B</title>
          <enclosure url="a&x;.jpg"/><enclosure url='b.jpg'/></item></channel></rss>
          """
        // An external parameter entity is an error before the first element.
        let (error, items) = try fixture.failure(Array(feed.utf8), MarkupRequest(rule: .feed))
        #expect(error == nil ? items.first == .rule(.feed) : error?.code == .syntax)
        for item in items {
          guard case .entry(let entry) = item else { continue }
          #expect(["a.jpg", "b.jpg"].contains(entry.url) && entry.title ?? "AB" == "AB")
        }
      }
    },
    rule("the entities of HTML are characters in the text of a document") { (fixture) throws in
      let items = try fixture.items(
        "<rss><channel><title>caf&eacute;&nbsp;&#8364;</title></channel></rss>")
      #expect(items == [.rule(.feed), .title("café €")])
    },
  ]
}
