import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing

@testable import Engine

/// The further page at which a source that is read page by page continues (RM8).
@Suite(.timeLimit(.minutes(60))) struct NextPageTests {
  private static let first = "http://h/all"

  private func page(_ numbers: [Int], next: String?) -> FakeAnswer {
    let items = numbers.map { "\"/p/\($0).png\"" }.joined(separator: ",")
    let next = next.map { #", "next": "\#($0)""# } ?? ""
    return FakeAnswer(body: Array(#"{"items": [\#(items)]\#(next)}"#.utf8))
  }

  private func lab(onDemand: Bool = true) throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 0
    if onDemand { lab.settings.source.pages = .onDemand }
    return lab
  }

  private func serve(_ lab: Lab, _ numbers: [Int], at query: String = "", next: String?) {
    lab.web.serve(Self.first + query, page(numbers, next: next))
  }

  private func numbers(_ lab: Lab) async throws -> [Int] {
    try await lab.allResources().compactMap { Int($0.url.dropFirst(11).dropLast(4)) }
  }

  private func nextPage(_ lab: Lab) async throws -> String? {
    let record = try #require(try await lab.records().first)
    return try await lab.disk.source(record.source)?.state.nextPage
  }

  @Test(
    "If the next page is gone, the first page names another one, and nothing is lost or doubled",
    arguments: [true, false])
  func expired(_ isLazy: Bool) async throws {
    let lab = try lab(onDemand: !isLazy)
    serve(lab, [1], next: "?a2")
    serve(lab, [2], at: "?a2", next: "?a3")
    lab.web.serve(Self.first + "?a3", FakeAnswer(status: 410))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first, isLazy: isLazy)).records[0]
    #expect(try await engine.loadMore(record) == 1)
    serve(lab, [9, 1], next: "?b2")
    serve(lab, [2], at: "?b2", next: "?b3")
    serve(lab, [3], at: "?b3", next: "?b4")
    serve(lab, [4], at: "?b4", next: nil)
    // The next page may still be there, behind pages that are known.
    #expect(try await engine.refresh(record).newEntries == 1)
    #expect(try await nextPage(lab) == Self.first + "?a3")
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await numbers(lab) == [9, 1, 2, 3])
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await engine.loadMore(record) == 0)
    #expect(try await numbers(lab) == [9, 1, 2, 3, 4])
    #expect(lab.web.requests(for: Self.first + "?a3").count == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A page that is gone is kept if the first page names no other one")
  func stillNamed() async throws {
    for next in ["?2", nil] {
      let lab = try lab()
      serve(lab, [1], next: "?2")
      lab.web.serve(Self.first + "?2", FakeAnswer(status: 404))
      let engine = try await lab.started()
      let record = try await engine.add(Lab.request(Self.first)).records[0]
      serve(lab, [9, 1], next: next)
      let error = LibraryError(.source, Self.first + "?2: HTTP 404 Not Found")
      await #expect(throws: error) { try await engine.loadMore(record) }
      #expect(try await nextPage(lab) == Self.first + "?2")
      // What the first page has got meanwhile is added all the same.
      #expect(try await numbers(lab) == [9, 1])
      try await engine.waitUntilIdle()
      await engine.stop()
    }
  }

  @Test(
    "A page that may yet come, or that wants credentials, is not replaced",
    arguments: [401, 407, 408, 425, 429, 500, 503])
  func temporary(_ status: Int) async throws {
    let lab = try lab()
    serve(lab, [1], next: "?2")
    lab.web.serve(Self.first + "?2", FakeAnswer(status: status))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    serve(lab, [1], next: "?3")
    await #expect(throws: LibraryError.self) { try await engine.loadMore(record) }
    #expect(try await nextPage(lab) == Self.first + "?2")
    #expect(lab.web.requests(for: Self.first).count == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("Of a source that is read whole, a failed page that is gone is replaced, too")
  func readWhole() async throws {
    let lab = try lab(onDemand: false)
    serve(lab, [1], next: "?a2")
    lab.web.serve(Self.first + "?a2", FakeAnswer(status: 403))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    lab.web.serve(Self.first, page([1], next: "?b2").with("ETag", "\"a\""))
    serve(lab, [2], at: "?b2", next: nil)
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await nextPage(lab) == nil)
    // The first page has not changed since, but the second one has.
    serve(lab, [2, 3], at: "?b2", next: nil)
    #expect(try await engine.refresh(record).newEntries == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await Set(numbers(lab)) == [1, 2, 3])
  }

  @Test("A further page that the first page gets later is read by more")
  func laterPage() async throws {
    for later in [[1], [1, 2], [5, 1, 2]] {
      let lab = try lab()
      serve(lab, [1], next: nil)
      let engine = try await lab.started()
      let record = try await engine.add(Lab.request(Self.first)).records[0]
      #expect(try await engine.loadMore(record) == 0)
      serve(lab, later, next: "?2")
      serve(lab, [8], at: "?2", next: nil)
      #expect(try await engine.refresh(record).newEntries == later.count - 1)
      #expect(try await engine.loadMore(record) == 1)
      #expect(try await numbers(lab).last == 8)
      try await engine.waitUntilIdle()
      await engine.stop()
    }
  }

  @Test("A list that was read to its end is read on only if its first page leaves a gap")
  func gap() async throws {
    let lab = try lab()
    serve(lab, [1, 2], next: "?2")
    serve(lab, [3], at: "?2", next: nil)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    #expect(try await engine.loadMore(record) == 1)
    serve(lab, [4, 1], next: "?2")
    #expect(try await engine.refresh(record).newEntries == 1)
    #expect(try await nextPage(lab) == nil)
    serve(lab, [7, 6], next: "?2")
    serve(lab, [5, 4], at: "?2", next: "?3")
    #expect(try await engine.refresh(record).newEntries == 2)
    #expect(try await engine.loadMore(record) == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await Set(numbers(lab)) == Set(1...7))
  }
}
