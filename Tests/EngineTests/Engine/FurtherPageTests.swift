import LibraryAPI
import Manifests
import Models
import Persistence
import TestSupport
import Testing
import Transport

@testable import Engine

/// Sources that are read page by page, with a page that cannot be read.
@Suite(.timeLimit(.minutes(60))) struct FurtherPageTests {
  private static let first = "http://h/all"

  private func page(_ numbers: [Int], next: String?) -> FakeAnswer {
    let items = numbers.map { "\"/p/\($0).png\"" }.joined(separator: ",")
    let next = next.map { #", "next": "\#($0)""# } ?? ""
    return FakeAnswer(body: Array(#"{"items": [\#(items)]\#(next)}"#.utf8))
  }

  private func lab() throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 0
    return lab
  }

  /// Three pages, of which the second one is answered so.
  private func serve(_ lab: Lab, second: FakeAnswer) {
    lab.web.serve(Self.first, page([1], next: "?2").with("ETag", "\"a\""))
    lab.web.serve(Self.first + "?2", second)
    lab.web.serve(Self.first + "?3", page([3], next: nil))
  }

  private func urls(_ lab: Lab) async throws -> [String] {
    try await lab.allResources().map(\.url)
  }

  private func state(_ lab: Lab) async throws -> SourceState {
    let record = try #require(try await lab.records().first)
    return try #require(try await lab.disk.source(record.source)).state
  }

  private static let unread = "; the pages of the list from there on are not read"

  @Test(
    "A page that cannot be read keeps the pages before it, and reading continues there",
    arguments: [
      (FakeAnswer(status: 404), "HTTP 404 Not Found"),
      (FakeAnswer(status: 500), "HTTP 500"),
      (.failure(.connectionLost), ""),
      (.failure(.limitExceeded), ""),
      (FakeAnswer(body: Array(#"["/p/2.png", {"url""#.utf8)), "line 1"),
      (FakeAnswer(body: Array("\u{ff}\u{fe}".utf16.flatMap { [UInt8($0 & 0xff), 0] })), ""),
    ])
  func unreadable(_ answer: FakeAnswer, _ cause: String) async throws {
    let lab = try lab()
    serve(lab, second: answer)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.first))
    try await engine.waitUntilIdle()
    #expect(try await urls(lab).first == Lab.url(1))
    #expect(result.problemCount == 1)
    let problem = try #require(result.problems.first)
    #expect(problem.contains(Self.first + "?2") && problem.contains(cause), "\(problem)")
    #expect(problem.hasSuffix(Self.unread), "\(problem)")
    #expect(lab.web.requests(for: Self.first + "?3").isEmpty)
    let kept = try await state(lab)
    #expect(kept.nextPage == Self.first + "?2" && kept.validator == Validator())

    await #expect(throws: LibraryError.self) { try await engine.loadMore(result.records[0]) }
    #expect(try await state(lab).nextPage == Self.first + "?2")
    lab.web.serve(Self.first + "?2", page([2], next: "?3"))
    // A page of which everything is known is passed over.
    let isKnown = try await urls(lab).count == 2
    #expect(try await engine.loadMore(result.records[0]) == 1)
    #expect(try await engine.loadMore(result.records[0]) == (isKnown ? 0 : 1))
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    #expect(try await state(lab).nextPage == nil)
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test("Pages without anything new are passed over, and pages that name each other end")
  func knownPages() async throws {
    let lab = try lab()
    lab.settings.source.pages = .onDemand
    lab.web.serve(Self.first, page([2, 1], next: "?2"))
    lab.web.serve(Self.first + "?2", page([2, 1], next: "?3"))
    lab.web.serve(Self.first + "?3", page([], next: "?4"))
    lab.web.serve(Self.first + "?4", page([3], next: "?2"))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await urls(lab) == [2, 1, 3].map { Lab.url($0) })
    #expect(try await state(lab).nextPage == nil)
    #expect(try await engine.loadMore(record) == 0)
    #expect(lab.web.requests(for: Self.first + "?2").count == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("Pages without anything new are read in limited numbers")
  func endlessPages() async throws {
    let lab = try lab()
    lab.settings.source.pages = .onDemand
    let count = RefreshStage.maximumKnownPages
    lab.web.serve(Self.first, page([1], next: "?2"))
    for number in 2...count + 2 {
      lab.web.serve(Self.first + "?\(number)", page([1], next: "?\(number + 1)"))
    }
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    #expect(try await engine.loadMore(record) == 0)
    #expect(try await state(lab).nextPage == Self.first + "?\(count + 2)")
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("A page named in the Link field, or by a feed, is no different")
  func otherPages() async throws {
    let next = "<a:link rel='next' href='/page2'/>"
    let answers = [
      FakeAnswer(body: Array(#"["/p/1.png"]"#.utf8)).with("Link", #"</page2>; rel="next""#),
      FakeAnswer(body: Array(FeedSourceTests.rss([1], head: next).utf8)),
    ]
    for answer in answers {
      let lab = try lab()
      lab.web.serve(Self.first, answer)
      let result = try await lab.run(Self.first)
      #expect(result.problems == ["http://h/page2: HTTP 404 Not Found" + Self.unread])
      #expect(try await urls(lab) == [Lab.url(1)])
      #expect(try await state(lab).nextPage == "http://h/page2")
      try await lab.checkLibrary()
    }
  }

  @Test("A cancelled reading of a further page undoes the whole add")
  func cancelled() async throws {
    let lab = try lab()
    let gate = Gate()
    var held = FakeAnswer(status: 500)
    held.gate = gate
    serve(lab, second: held)
    let engine = try await lab.started()
    let adding = Task { try await engine.add(Lab.request(Self.first)) }
    try await gate.untilWaiting()
    adding.cancel()
    gate.open()
    await #expect(throws: (any Error).self) { try await adding.value }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().isEmpty)
    #expect(try await lab.disk.incompleteSources().isEmpty)
  }

  @Test("A refresh adds what the pages before a dead one have; the next one reads the others too")
  func refresh() async throws {
    let lab = try lab()
    serve(lab, second: FakeAnswer(status: 404))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    lab.web.serve(Self.first, page([9, 1], next: "?2").with("ETag", "\"b\""))
    let result = try await engine.refresh(record)
    #expect(result.newEntries == 1)
    #expect(result.problems == [Self.first + "?2: HTTP 404 Not Found" + Self.unread])
    #expect(try await state(lab).nextPage == Self.first + "?2")
    #expect(try await urls(lab) == [9, 1].map { Lab.url($0) })
    // What could not be read before follows what could.
    lab.web.serve(Self.first + "?2", page([2], next: "?3"))
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 2))
    #expect(try await urls(lab) == [9, 1, 2, 3].map { Lab.url($0) })
    #expect(try await state(lab).nextPage == nil)
    #expect(try await engine.loadMore(record) == 0)
    lab.web.forgetRequests()
    lab.web.serve(Self.first + "?3", page([3, 4], next: nil))
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    #expect(lab.web.requests.map(\.url).filter { !$0.hasSuffix(".png") }.count == 3)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A refresh whose further page has died keeps what was known, and continues there")
  func diesLater() async throws {
    let lab = try lab()
    serve(lab, second: page([2], next: "?3"))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    #expect(try await state(lab).nextPage == nil)
    lab.web.serve(Self.first + "?3", FakeAnswer(status: 500))
    let result = try await engine.refresh(record)
    #expect(result.newEntries == 0 && result.problems.count == 1)
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    #expect(try await state(lab).nextPage == Self.first + "?3")
    lab.web.serve(Self.first, FakeAnswer(status: 404))
    await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    await engine.stop()
  }

  @Test("Pages left unread by source.pages = on-demand are read by a refresh without the setting")
  func noLongerOnDemand() async throws {
    let lab = try lab()
    lab.settings.source.pages = .onDemand
    serve(lab, second: page([2], next: "?3"))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    try await engine.waitUntilIdle()
    await engine.stop()
    lab.settings.source.pages = Settings().source.pages
    lab.newProcess()
    serve(lab, second: page([2], next: "?3"))
    let next = try await lab.started()
    #expect(try await next.refresh(record) == RefreshResult(newEntries: 2))
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    #expect(try await state(lab).nextPage == nil)
    await next.stop()
  }

  @Test(
    "A further web page without images and without a further page is a page that cannot be read")
  func imageless() async throws {
    let lab = try lab()
    let page = "http://h/page2.html"
    let next = ("Link", "<\(page)>; rel=\"next\"")
    lab.web.serve(
      WebPageTests.page, WebPageTests.answer(WebPageTests.html([1, 2])).with(next.0, next.1))
    let error = WebPageTests.answer("<!DOCTYPE html><h1>503 Service Unavailable</h1>")
    lab.web.serve(page, error)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(WebPageTests.page))
    #expect(
      result.problems == ["\(page): no images were found in this web page" + Self.unread])
    #expect(try await state(lab).nextPage == page)
    // One with a further page only has no images.
    lab.web.serve(page, error.with("Link", "<http://h/page3.html>; rel=\"next\""))
    lab.web.serve("http://h/page3.html", WebPageTests.answer(WebPageTests.html([3])))
    #expect(try await engine.refresh(result.records[0]) == RefreshResult(newEntries: 1))
    #expect(try await state(lab).nextPage == nil)
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("After 100 pages in a row without anything new, the rest of a list is left to `more`")
  func pagesWithoutNews() async throws {
    let lab = try lab()
    // Page 60 has something new, and so has the first one of the further pages.
    let last = 200
    for number in 1...last {
      lab.web.serve(
        Self.first + (number == 1 ? "" : "?\(number)"),
        page([number == 60 ? 2 : 1], next: number == last ? nil : "?\(number + 1)"))
    }
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.first))
    let next = Self.first + "?\(61 + RefreshStage.maximumKnownPages)"
    #expect(
      result.problems == ["\(next): the 100 pages before this one have nothing new" + Self.unread])
    #expect(lab.web.requests(for: next).isEmpty)
    #expect(result.entryCount == 160)
    #expect(try await state(lab).nextPage == next)
    #expect(try await engine.loadMore(result.records[0]) == 0)
    #expect(try await state(lab).nextPage == nil)
    // A refresh reads as many pages.
    _ = try await engine.refresh(result.records[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: next).count == 1)
    try await lab.checkLibrary()
  }

  @Test("Pages with links to new documents count as new, also those of a linked document")
  func pagesOfLinks() throws {
    for isLinked in [false, true] {
      var document = DocumentQueue.Document(location: .url(try HTTPURL(Self.first)))
      document.link = isLinked ? .record : nil
      var news = PageNews()
      news.endDocument(document, hasLinks: false)
      #expect(news.knownPageCount == 0)
      document.page = 1
      for count in 1...3 {
        news.endDocument(document, hasLinks: false)
        #expect(news.knownPageCount == count)
      }
      news.endDocument(document, hasLinks: true)
      #expect(news.knownPageCount == 0)
    }
  }
}
