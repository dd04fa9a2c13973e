import Markup
import Testing

private func rule(
  _ sentence: String, _ check: @escaping @Sendable (MarkupFixture) throws -> Void
) -> MarkupContractRule {
  MarkupContractRule(sentence, check)
}

extension MarkupContract {
  static let limitRules = [
    rule("a document of too many bytes is refused") { (fixture) throws in
      let page = Array("<img src=a.jpg>".utf8)
      var limits = MarkupLimits(bytes: page.count)
      #expect(try fixture.failure(page, MarkupRequest(limits: limits)).error == nil)
      limits.bytes -= 1
      let (error, items) = try fixture.failure(page, MarkupRequest(limits: limits))
      #expect(error?.code == .limit && items.isEmpty)
      #expect(error?.description.contains("\(page.count) bytes") == true)
      #expect(error?.description.contains("(limits.manifestBytes)") == true)
    },
    rule("the items up to the limit are received before the error") { (fixture) throws in
      let page = Array((0..<1_000).map { "<img src=\"\($0)-a.jpg\">" }.joined().utf8)
      for limit in [0, 1, 255, 256, 257, 999] {
        let (error, items) = try fixture.failure(
          page, MarkupRequest(limits: MarkupLimits(items: limit)))
        #expect(error?.code == .limit, "\(limit)")
        let entries = limit == 1 ? "entry" : "entries"
        #expect(
          error?.description
            == "the document has more than \(limit) \(entries) (limits.manifestEntries)")
        #expect(items.compactMap(\.url).count == limit)
      }
      let (error, items) = try fixture.failure(
        page, MarkupRequest(limits: MarkupLimits(items: 1_000)))
      #expect(error == nil && items.count == 1_001)
    },
    rule("problems are not entries, and their number has the same limit") { (fixture) throws in
      func document(entries: Int, problems: Int) -> [UInt8] {
        let entry = "<file name='a'><url>http://a/f</url></file>"
        let problem = "<file name='b'><url>ftp://a/f</url></file>"
        let files =
          String(repeating: entry, count: entries) + String(repeating: problem, count: problems)
        return Array("<metalink>\(files)</metalink>".utf8)
      }
      let request = MarkupRequest(limits: MarkupLimits(items: 300))
      let (none, items) = try fixture.failure(document(entries: 300, problems: 300), request)
      #expect(none == nil && items.count == 601)
      let (error, some) = try fixture.failure(document(entries: 1, problems: 301), request)
      #expect(error?.code == .limit && some.count == 302)
      #expect(
        error?.description
          == "the document has more than 300 parts that cannot be used (limits.manifestEntries)")
    },
    rule("an image in a deeply nested element is found, independent of the limit of depth") {
      (fixture) throws in
      for depth in [1, 10, 511, 512, 513, 5_000] {
        let page = String(repeating: "<span>", count: depth) + "<img src=a.jpg>"
        #expect(try fixture.items(page) == [.rule(.html), .entry(MarkupEntry(url: "a.jpg"))])
      }
    },
    rule("an attribute that is too long is ignored, and the others are used") { (fixture) throws in
      let long = String(repeating: "x", count: 2_000)
      let page = "<img src=\"\(long).jpg\" data-src=a.jpg><img src=\"\(long).jpg\">"
      let items = try fixture.items(page, MarkupRequest(limits: MarkupLimits(textLength: 1_000)))
      #expect(items.compactMap(\.url) == ["a.jpg"])
    },
    rule("a URL that cannot be requested is a problem") { (fixture) throws in
      let long = String(repeating: "x", count: MarkupItem.maximumURLLength)
      let items = try fixture.items("<img src=\"\(long).jpg\"><img src=a.jpg>")
      guard items.count == 3, case .problem(let reason) = items[1] else {
        Issue.record("\(items.count) items")
        return
      }
      #expect(reason.contains("more than \(MarkupItem.maximumURLLength) bytes"))
      #expect(items[2].url == "a.jpg")
    },
    rule("a title that is too long is truncated") { (fixture) throws in
      let long = String(repeating: "é", count: 10_000)
      let items = try fixture.items("<title>\(long)</title><img src=a.jpg alt=\"\(long)\">")
      guard items.count == 3, case .title(let title) = items[1], case .entry(let entry) = items[2]
      else {
        Issue.record("\(items.count) items")
        return
      }
      for text in [title, entry.title ?? ""] {
        #expect(text.utf8.count <= MarkupItem.maximumTextLength && long.hasPrefix(text))
        #expect(text.utf8.count > MarkupItem.maximumTextLength - 8)
      }
    },
  ]
}
