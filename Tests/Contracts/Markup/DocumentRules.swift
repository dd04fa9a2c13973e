import Markup
import SystemCalls
import TestSupport
import Testing

private func rule(
  _ sentence: String, _ check: @escaping @Sendable (MarkupFixture) throws -> Void
) -> MarkupContractRule {
  MarkupContractRule(sentence, check)
}

extension MarkupContract {
  static let documentRules = [
    rule("a page yields its rule, base, title, images and next page, in this order") {
      (fixture) throws in
      let items = try fixture.items(
        """
        <!DOCTYPE html><title>Two  birds</title><base href="/pictures/">
        <link rel=next href="/birds.html?page=2">
        <p><img src="a.jpg" alt="A heron"> <img src="b.jpg">
        """, MarkupRequest(url: "https://example.org/birds.html"))
      var first = MarkupEntry(url: "a.jpg")
      first.title = "A heron"
      #expect(
        items == [
          .rule(.html), .base("/pictures/"), .title("Two birds"), .entry(first),
          .entry(MarkupEntry(url: "b.jpg")), .nextPage("/birds.html?page=2"),
        ])
    },
    rule("a listing is recognized, and yields its files with their sizes, and its folders") {
      (fixture) throws in
      let listing = """
        <html><head><title>Index of /a/</title></head><body><h1>Index of /a/</h1><hr><pre><a href="../">../</a>
        <a href="b/">b/</a>          03-Feb-2024 04:05       -
        <a href="c.jpg">c.jpg</a>    03-Feb-2024 04:05     123
        </pre></body></html>
        """
      var file = MarkupEntry(url: "c.jpg")
      file.name = "c.jpg"
      file.byteCount = 123
      #expect(
        try fixture.items(listing, MarkupRequest(url: "http://h/a/")) == [
          .rule(.listing), .title("a"), .document("b/", .record), .entry(file),
        ])
    },
    rule("the demanded rule is used") { (fixture) throws in
      let page = "<title>Index of /</title><a href=x.jpg>x.jpg</a><img src=y.jpg>"
      let asPage = try fixture.items(page, MarkupRequest(rule: .html, url: "http://h/"))
      #expect(asPage.first == .rule(.html) && asPage.compactMap(\.url) == ["y.jpg"])
      let asListing = try fixture.items(page, MarkupRequest(rule: .listing, url: "http://h/"))
      #expect(asListing.first == .rule(.listing) && asListing.compactMap(\.url) == ["x.jpg"])
    },
    rule("a document without anything yields its rule alone") { (fixture) throws in
      #expect(try fixture.items("") == [.rule(.html)])
      #expect(try fixture.items("<p>nothing") == [.rule(.html)])
    },
    rule("many items arrive in order and in batches") { (fixture) throws in
      let page = (0..<5_000).map { "<img src=\"\($0)-a.jpg\">" }.joined()
      var counts: [Int] = []
      var urls: [String] = []
      try fixture.reader.read(try fixture.open(Array(page.utf8)), MarkupRequest()) {
        (batch) throws(MarkupError) in
        counts.append(batch.count)
        urls += batch.compactMap(\.url)
      }
      #expect(urls == (0..<5_000).map { "\($0)-a.jpg" })
      #expect(counts.count > 5 && counts.allSatisfy { $0 <= 1_000 })
    },
    rule("an error of the receiver ends the reading and is rethrown unchanged") {
      (fixture) throws in
      let own = MarkupError(.visitor, "the disk is full")
      let page = (0..<1_000).map { "<img src=\"\($0)-a.jpg\">" }.joined()
      let file = try fixture.open(Array(page.utf8))
      var calls = 0
      let error = #expect(throws: MarkupError.self) {
        try fixture.reader.read(file, MarkupRequest()) { (_) throws(MarkupError) in
          calls += 1
          throw own
        }
      }
      #expect(error == own && calls == 1)
      // The next document is read as if nothing had happened.
      #expect(try fixture.items("<img src=a.jpg>").count == 2)
    },
    rule("the offset of the file is neither used nor changed") { (fixture) throws in
      let file = try fixture.open(Array("<img src=a.jpg>".utf8))
      _ = try file.bytes(count: 5, at: 0)
      for _ in 0..<2 {
        var count = 0
        try fixture.reader.read(file, MarkupRequest()) { (batch) throws(MarkupError) in
          count += batch.count
        }
        #expect(count == 2)
      }
    },
    rule("a path that is not a regular file is refused") { (fixture) throws in
      let folder = try FileSystem.open(fixture.folder.path)
      let error = #expect(throws: MarkupError.self) {
        try fixture.reader.read(folder, MarkupRequest()) { (_) throws(MarkupError) in }
      }
      #expect(error?.code == .io)
    },
  ]
}
