import LibraryAPI
import Models
import Persistence
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// The same source again while, or after, an earlier `add` of it has not read all of it (DL4).
@Suite(.timeLimit(.minutes(60))) struct AddingAgainTests {
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

  private func urls(_ lab: Lab) async throws -> [String] {
    try await lab.allResources().map(\.url)
  }

  @Test("A page that could not be read is read by the same add, and nothing is added twice")
  func failedPage() async throws {
    let lab = try lab()
    lab.web.serve(Self.first, page([1], next: "?2"))
    lab.web.serve(Self.first + "?2", FakeAnswer(status: 503))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.first)).records[0]
    try await engine.waitUntilIdle()
    let failed = try await engine.add(Lab.request(Self.first))
    #expect(failed.outcome == .continued && failed.records == [record] && failed.entryCount == 1)
    #expect(failed.problems.count == 1 && failed.problemCount == 1)
    lab.web.serve(Self.first, FakeAnswer(status: 503))
    #expect(
      try await engine.add(Lab.request(Self.first)).problems
        == ["\(Self.first): HTTP 503 Service Unavailable"])
    lab.web.serve(Self.first, page([1], next: "?2"))
    lab.web.serve(Self.first + "?2", page([2], next: nil))
    let result = try await engine.add(Lab.request(Self.first))
    #expect(result.outcome == .continued && result.records == [record] && result.entryCount == 2)
    #expect(result.problems == [])
    try await engine.waitUntilIdle()
    #expect(try await urls(lab) == [1, 2].map { Lab.url($0) })
    // That was the end of the source, so that another add appends it.
    #expect(try await engine.add(Lab.request(Self.first)).outcome == .appended)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab) == [1, 2, 1, 2].map { Lab.url($0) })
    try await lab.checkLibrary()
  }

  @Test("An unread page is read also if downloads are left, or only failures")
  func failedPageAndResource() async throws {
    let lab = try lab()
    let gone = "/gone.png"
    lab.web.serve(
      Self.first, FakeAnswer(body: Array(#"{"items": ["\#(gone)"], "next": "?2"}"#.utf8)))
    lab.web.serve(Self.first + "?2", FakeAnswer(status: 503))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(Self.first))
    try await engine.waitUntilIdle()
    #expect(try await engine.add(Lab.request(Self.first)).outcome == .onlyFailuresRemain)
    lab.web.serve(Self.first + "?2", page([2], next: nil))
    let result = try await engine.add(Lab.request(Self.first))
    #expect(result.outcome == .continued && result.entryCount == 2 && result.problems == [])
    try await engine.waitUntilIdle()
    #expect(try await engine.add(Lab.request(Self.first)).outcome == .onlyFailuresRemain)
    await engine.stop()
    #expect(try await urls(lab) == ["http://h" + gone, Lab.url(2)])
  }

  @Test(
    "What a limit has left out of a list is added by the same add with a higher limit",
    arguments: [false, true])
  func cutList(_ isStandardInput: Bool) async throws {
    let lab = try lab()
    let outside = try TemporaryFolder()
    let list = Array((1...3).map { Lab.url($0) }.joined(separator: "\n").utf8)
    let path = try outside.write("list.txt", list)
    func request() throws -> SourceRequest {
      guard isStandardInput else { return SourceRequest(location: .file(path)) }
      let spool = "\(lab.layout.incoming)/stdin.spool"
      try FileSystem.replace(spool, with: list.span.bytes)
      return SourceRequest(location: .standardInput(spool: spool))
    }
    lab.settings.limits.manifestEntries = 2
    let cut = try await lab.started()
    #expect(try await cut.add(request()).entryCount == 2)
    try await cut.waitUntilIdle()
    let again = try await cut.add(request())
    #expect(again.outcome == .continued && again.entryCount == 2 && again.problemCount == 1)
    await cut.stop()
    lab.settings.limits.manifestEntries = 3
    lab.newProcess()
    let engine = try await lab.started()
    let result = try await engine.add(request())
    #expect(result.outcome == .continued && result.entryCount == 3 && result.problemCount == 0)
    #expect(result.fileChange == .none)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab) == (1...3).map { Lab.url($0) })
    try await lab.checkLibrary()
  }

  @Test("A source that is read page by page is complete, although it has a further page")
  func onDemand() async throws {
    let lab = try lab()
    lab.settings.source.pages = .onDemand
    lab.web.serve(Self.first, page([1], next: "?2"))
    let engine = try await lab.started()
    for _ in 1...2 {
      #expect(try await engine.add(Lab.request(Self.first)).outcome == .appended)
      try await engine.waitUntilIdle()
    }
    await engine.stop()
    #expect(lab.web.requests(for: Self.first + "?2").isEmpty)
    #expect(try await urls(lab) == [1, 1].map { Lab.url($0) })
  }

  @Test("Two adds of a source at the same time add it once, whether the list is read or not")
  func concurrent() async throws {
    for isList in [true, false] {
      let lab = try lab()
      let gate = Gate()
      let url = isList ? Self.first : Lab.url(1)
      let answer = isList ? page([1, 2], next: nil) : .file(Lab.image(1))
      lab.web.serve(url, answer.held(by: gate))
      let engine = try await lab.started()
      let first = Task { try await engine.add(Lab.request(url)) }
      try await gate.untilWaiting()
      let second = Task.immediate { try await engine.add(Lab.request(url)) }
      gate.open()
      let results = [try await first.value, try await second.value]
      try await engine.waitUntilIdle()
      #expect(results[0].outcome == .appended && results[1].records == results[0].records)
      #expect(results[1].outcome == .continued && results[1].problems == [])
      #expect(results[1].isUnderWay)
      #expect(lab.web.requests(for: url).count == 1)
      #expect(try await lab.records().count == 1)
      await engine.stop()
      try await lab.checkLibrary()
    }
  }

  @Test("If the first of two adds of a source fails, the second one adds it")
  func concurrentFailure() async throws {
    let lab = try lab()
    let gate = Gate()
    lab.web.serve(
      Self.first, FakeAnswer(status: 503).held(by: gate), page([1], next: nil))
    let engine = try await lab.started()
    let first = Task { try await engine.add(Lab.request(Self.first)) }
    try await gate.untilWaiting()
    let second = Task.immediate { try await engine.add(Lab.request(Self.first)) }
    gate.open()
    await #expect(throws: LibraryError.self) { try await first.value }
    #expect(try await second.value.outcome == .appended)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab) == [Lab.url(1)])
  }
}
