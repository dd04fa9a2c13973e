import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing
import Transport

@testable import Engine

/// Documents of markup that end early although their responses are complete.
@Suite(.timeLimit(.minutes(60))) struct CutDocumentTests {
  private static let first = "http://h/feed"

  private static func rss(_ images: [Int], next: String? = nil) -> String {
    let link = next.map { "<a:link rel='next' href='\($0)'/>" } ?? ""
    return FeedSourceTests.rss(images, head: link)
  }

  /// Returns the document up to the item of a picture.
  private static func cut(_ document: String, before picture: Int) throws -> String {
    let range = try #require(document.firstRange(of: "<title>Bird \(picture)<"))
    return String(document[..<range.lowerBound])
  }

  private func serve(_ lab: Lab, _ url: String, _ text: String) {
    lab.web.serve(url, FakeAnswer(body: Array(text.utf8)).with("ETag", "\"a\""))
  }

  private func urls(_ lab: Lab) async throws -> [String] {
    try await lab.allResources().map(\.url)
  }

  private func state(_ lab: Lab) async throws -> SourceState {
    let record = try #require(try await lab.records().first)
    return try #require(try await lab.disk.source(record.source)).state
  }

  @Test("A further page that is cut off keeps its beginning, and reading continues with it")
  func furtherPage() async throws {
    let lab = try Lab()
    let (second, third) = ("http://h/2", "http://h/3")
    let page = Self.rss([3, 4, 5], next: "/3")
    serve(lab, Self.first, Self.rss([1, 2], next: "/2"))
    serve(lab, second, try Self.cut(page, before: 4))
    serve(lab, third, Self.rss([6]))
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.first))
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    #expect(result.problemCount == 1)
    let problem = try #require(result.problems.first)
    #expect(problem.hasPrefix(second + ": the XML is not well-formed"), "\(problem)")
    #expect(
      problem.hasSuffix(
        "; the rest of the document, and the pages of the list from there on, are not read"))
    #expect(lab.web.requests(for: third).isEmpty)
    #expect(try await state(lab).nextPage == second)
    // A page that is still cut off is no success.
    await #expect(throws: LibraryError.self) { try await engine.loadMore(result.records[0]) }
    #expect(try await state(lab).nextPage == second)
    serve(lab, second, page)
    #expect(try await engine.loadMore(result.records[0]) == 2)
    #expect(try await engine.loadMore(result.records[0]) == 1)
    #expect(try await urls(lab) == (1...6).map { Lab.url($0) })
    #expect(try await state(lab).nextPage == nil)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The rest of a first document that was cut off follows what was read")
  func firstDocument() async throws {
    let lab = try Lab()
    let document = Self.rss([1, 2, 3])
    serve(lab, Self.first, try Self.cut(document, before: 3))
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.first))
    #expect(try await urls(lab) == [1, 2].map { Lab.url($0) })
    let cut = try await state(lab)
    #expect(cut.nextPage == Self.first && cut.isCut && cut.validator == Validator())
    serve(lab, Self.first, document)
    #expect(try await engine.refresh(result.records[0]) == RefreshResult(newEntries: 1))
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    let whole = try await state(lab)
    #expect(whole.nextPage == nil && !whole.isCut && whole.validator != Validator())
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("An error within a document does not end the pages, and its validator is kept")
  func malformed() async throws {
    let lab = try Lab()
    let document = Self.rss([1], next: "/2").replacing("</channel>", with: "</wrong></channel>")
    serve(lab, Self.first, document)
    serve(lab, "http://h/2", Self.rss([2]))
    let result = try await lab.run(Self.first)
    #expect(try await urls(lab) == [1, 2].map { Lab.url($0) })
    #expect(result.problemCount == 1)
    #expect(try await state(lab).nextPage == nil)
  }

  @Test("A page of a bucket that is cut off is read again, and no other is invented")
  func bucket() async throws {
    func page(_ keys: [Int], token: String?) -> String {
      let next = token.map {
        "<IsTruncated>true</IsTruncated><NextContinuationToken>\($0)</NextContinuationToken>"
      }
      let objects = keys.map { "<Contents><Key>p/\($0).png</Key></Contents>" }.joined()
      return "<ListBucketResult><Name>b</Name>\(objects)\(next ?? "")</ListBucketResult>"
    }
    let lab = try Lab()
    let first = "http://h/?list-type=2"
    let second = first + "&continuation-token=t"
    serve(lab, first, page([1], token: "t"))
    serve(lab, second, String(page([2, 3], token: "u").prefix { $0 != "3" }))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(first)).records[0]
    #expect(try await state(lab).nextPage == second)
    serve(lab, second, page([2, 3], token: nil))
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    let lists = lab.web.requests.map(\.url).filter { $0.contains("list-type") }
    #expect(lists == [first, second, second])
    try await engine.waitUntilIdle()
    await engine.stop()
  }
}
