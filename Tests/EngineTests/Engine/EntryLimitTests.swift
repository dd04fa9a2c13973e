import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing

@testable import Engine

/// A source whose first document has too many entries.
@Suite(.timeLimit(.minutes(60))) struct EntryLimitTests {
  @Test(
    "Of a list with too many entries, those within the limit are kept; a higher limit adds the others"
  )
  func tooManyEntries() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 2
    lab.serveList((1...3).map { Lab.url($0) }, tag: "a")
    let result = try await lab.run()
    #expect(
      result.problems == [
        "\(Lab.list): the source has more than 2 entries (limits.manifestEntries); the rest is left out"
      ])
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)])
    lab.settings.limits.manifestEntries = 3
    lab.newProcess()
    lab.serveList((1...3).map { Lab.url($0) }, tag: "a")
    let engine = try await lab.started()
    #expect(try await engine.refresh(result.records[0]) == RefreshResult(newEntries: 1))
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test("The records that a limit has left out follow the known ones")
  func records() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 3
    func serve(_ titles: [String]) {
      let rows = titles.flatMap { title in
        (1...2).map { "http://h/\(title)/\($0).png,n,\(title)\n" }
      }
      lab.web.serve(
        Self.first, FakeAnswer(body: Array(("url,name,title\n" + rows.joined()).utf8)))
    }
    serve(["a", "b", "c", "d"])
    let record = try await lab.run(Self.first).records[0]
    #expect(try await lab.records().map(\.title) == ["a", "b"])
    lab.settings.limits.manifestEntries = 100
    lab.newProcess()
    serve(["x", "a", "b", "c", "d"])
    let engine = try await lab.started()
    let result = try await engine.refresh(record)
    #expect(result.newEntries == 1 && result.newRecords.count == 3)
    let records = try await lab.records()
    #expect(records.map(\.title) == ["x", "a", "b", "c", "d"])
    #expect(records.filter { result.newRecords.contains($0.id) }.map(\.id) == result.newRecords)
    // From now on, new records come first, wherever the list has them.
    serve(["x", "a", "b", "c", "d", "e"])
    #expect(try await engine.refresh(record).newRecords.count == 1)
    #expect(try await lab.records().map(\.title) == ["e", "x", "a", "b", "c", "d"])
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  private static let first = "http://h/all"
  private static let tooMany = "the source has more than 10 entries (limits.manifestEntries)"
  private static func unread(_ page: Int) -> String {
    "; \(first)?\(page) is not read to its end, and the pages of the list from there on are not read"
  }

  private func urls(_ lab: Lab) async throws -> [String] {
    try await lab.allResources().map(\.url)
  }

  private func images(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { Lab.url($0) } }

  private func state(_ lab: Lab) async throws -> SourceState {
    let record = try #require(try await lab.records().first)
    return try #require(try await lab.disk.source(record.source)).state
  }

  /// Five pages with four entries each, also with one too long.
  private func servePages(_ lab: Lab, padding: Int = 0) {
    for page in 1...5 {
      let items = (4 * page - 3...4 * page).map { "\"/p/\($0).png\"" }.joined(separator: ",")
      let next = page < 5 ? #", "next": "?\#(page + 1)""# : ""
      let space = String(repeating: " ", count: page == 2 ? padding : 0)
      lab.web.serve(
        page == 1 ? Self.first : "\(Self.first)?\(page)",
        FakeAnswer(body: Array(#"{"items": [\#(items)]\#(space)\#(next)}"#.utf8)))
    }
  }

  @Test("Reading continues with the page that the limit of entries cut")
  func cutPage() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 10
    servePages(lab)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.first))
    let record = result.records[0]
    #expect(result.problems == [Self.tooMany + Self.unread(3)])
    #expect(try await urls(lab) == images(1...10))
    let kept = try await state(lab)
    #expect(kept.nextPage == Self.first + "?3" && kept.isCut)
    #expect(try await engine.loadMore(record) == 2)
    #expect(try await engine.loadMore(record) == 4)
    #expect(try await engine.loadMore(record) == 4)
    #expect(try await engine.loadMore(record) == 0)
    #expect(try await urls(lab) == images(1...20))
    // A refresh within the same limit is cut at the same page.
    #expect(try await engine.refresh(record).problems == [Self.tooMany + Self.unread(3)])
    #expect(try await state(lab).nextPage == Self.first + "?3")
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test(
    "A refresh with a higher limit appends the pages that were cut, after new entries at the top")
  func refreshAfterCut() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 10
    servePages(lab)
    let record = try await lab.run(Self.first).records[0]
    lab.settings.limits.manifestEntries = 100
    lab.newProcess()
    servePages(lab)
    lab.web.serve(
      Self.first,
      FakeAnswer(
        body: Array(
          #"{"items": ["/p/0.png", "/p/1.png", "/p/2.png", "/p/3.png", "/p/4.png"], "next": "?2"}"#
            .utf8)))
    let engine = try await lab.started()
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 11))
    #expect(try await urls(lab) == images(0...20))
    let kept = try await state(lab)
    #expect(kept.nextPage == nil && !kept.isCut)
    await engine.stop()
  }

  @Test("A page that alone exceeds the bytes of the source is named, and reading continues there")
  func longPage() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestBytes = 4_000
    servePages(lab, padding: 5_000)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.first))
    let reason =
      "\(Self.first)?2: the list has more than 4000 bytes, the most that can be read "
      + "(limits.manifestBytes); the pages of the list from there on are not read"
    #expect(result.problems == [reason])
    #expect(try await state(lab).nextPage == Self.first + "?2")
    await #expect(throws: LibraryError.self) { try await engine.loadMore(result.records[0]) }
    #expect(try await state(lab).nextPage == Self.first + "?2")
    servePages(lab)
    #expect(try await engine.refresh(result.records[0]) == RefreshResult(newEntries: 16))
    #expect(try await urls(lab) == images(1...20))
    #expect(try await state(lab).nextPage == nil)
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("A document with too many entries is continued by a higher limit only, which is said")
  func cutDocument() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 10
    lab.serveImages(1...12)
    let record = try await lab.run().records[0]
    lab.newProcess()
    lab.serveImages(1...12)
    let cut = try await lab.started()
    let reason = Self.tooMany + Self.unread(0).replacing("\(Self.first)?0", with: Lab.list)
    await #expect(throws: LibraryError(.policy, reason)) { try await cut.loadMore(record) }
    await cut.stop()
    lab.settings.limits.manifestEntries = 12
    lab.newProcess()
    lab.serveImages(1...12)
    let engine = try await lab.started()
    #expect(try await engine.loadMore(record) == 2)
    #expect(try await urls(lab) == images(1...12))
    #expect(try await state(lab).nextPage == nil)
    await engine.stop()
  }

  @Test(
    "A higher limit appends the rest of a list, in whichever format",
    arguments: ["text", "csv", "json", "json-lines", "feed", "html", "aria2", "bucket"])
  func rest(_ format: String) async throws {
    let numbers = 1...25
    let url = format == "html" ? "http://h/page.html" : Self.first
    let document =
      switch format {
      case "text": numbers.map { Lab.url($0) }.joined(separator: "\n")
      case "csv": "url,name\n" + numbers.map { "\(Lab.url($0)),n\($0)\n" }.joined()
      case "json": "[" + numbers.map { "\"\(Lab.url($0))\"" }.joined(separator: ",") + "]"
      case "json-lines": numbers.map { "\"\(Lab.url($0))\"\n" }.joined()
      case "feed": FeedSourceTests.rss(Array(numbers))
      case "html": WebPageTests.html(Array(numbers))
      case "aria2": numbers.map { "\(Lab.url($0))\n  out=\($0).png\n" }.joined()
      default:
        "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>h</Name>"
          + numbers.map { "<Contents><Key>p/\($0).png</Key><Size>10</Size></Contents>" }.joined()
          + "</ListBucketResult>"
      }
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 10
    lab.web.serve(url, FakeAnswer(body: Array(document.utf8)))
    let record = try await lab.run(url).records[0]
    let known = try await urls(lab)
    #expect(known.count == 10)
    lab.settings.limits.manifestEntries = 100
    lab.newProcess()
    lab.web.serve(url, FakeAnswer(body: Array(document.utf8)))
    let engine = try await lab.started()
    #expect(try await engine.refresh(record).newEntries == 15)
    let all = try await urls(lab)
    #expect(Array(all.prefix(10)) == known)
    #expect(all.map { $0.suffix(7) } == numbers.map { "/p/\($0).png".suffix(7) })
    #expect(try await !state(lab).isCut)
    await engine.stop()
  }
}
