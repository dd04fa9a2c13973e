import LibraryAPI
import Manifests
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Reading a source again (RM7), and reading on (RM8).
@Suite(.timeLimit(.minutes(60))) struct RefreshTests {
  private func urls(_ lab: Lab, _ record: RecordID) async throws -> [String] {
    try await lab.disk.resources(of: record, offset: 0, limit: 1_000).map(\.url)
  }

  private func list(_ numbers: [Int]) -> [UInt8] {
    Array("[\(numbers.map { "\"/p/\($0).png\"" }.joined(separator: ","))]".utf8)
  }

  // MARK: - Refresh

  @Test("A source that has not changed costs one conditional request, and changes nothing")
  func unchanged() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1), Lab.url(2)], tag: "a")
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.forgetRequests()
    #expect(try await engine.refresh(record) == RefreshResult(isUnchanged: true))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.map(\.url) == [Lab.list])
    #expect(lab.web.requests.map(\.ifNoneMatch) == ["\"a\""])
    #expect(lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }

  @Test("A list behind a redirect to another origin is read again: its tag is not that of the URL")
  func tagOfAnotherOrigin() async throws {
    let lab = try Lab()
    func list(_ number: Int) -> FakeAnswer {
      FakeAnswer(body: Array(Lab.url(number).utf8)).with("ETag", "\"a\"")
    }
    lab.web.serve(Lab.list, list(1).redirected(to: "http://o/list.txt"))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    lab.web.serve(Lab.list, list(2))
    #expect(try await engine.refresh(record).newEntries == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Lab.list).allSatisfy { $0.isPlain })
    try await lab.checkLibrary()
  }

  @Test("New entries are added at the top, in the order of the list; existing ones are not changed")
  func newOnTop() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1), Lab.url(2)], tag: "a")
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.forgetRequests()
    // One is gone from the list, one is there by another spelling.
    lab.serveList([Lab.url(8), Lab.url(9), "http://H:80/p/1.png", Lab.url(8)], tag: "b")
    let result = try await engine.refresh(record)
    #expect(result == RefreshResult(newEntries: 2))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab, record) == [Lab.url(8), Lab.url(9), Lab.url(1), Lab.url(2)])
    #expect(
      try lab.names("list") == ["0001-1.png", "0002-2.png", "0003-8.png", "0004-9.png"])
    #expect(lab.web.requests.map(\.url).sorted() == [Lab.list, Lab.url(8), Lab.url(9)])
    #expect(engine.snapshot().finished == 4 && engine.snapshot().total == 4)
    try await events.until(.entriesAdded(record, count: 2))
    try await lab.checkLibrary()
  }

  @Test("The next refresh sends the validator of the last one, also in another run")
  func validatorOfLast() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)], tag: "a")
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    lab.serveList([Lab.url(2), Lab.url(1)], tag: "b")
    #expect(try await engine.refresh(record).newEntries == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    lab.newProcess()
    lab.serveList([Lab.url(2), Lab.url(1)], tag: "b")
    let next = try await lab.started()
    #expect(try await next.refresh(record).isUnchanged)
    await next.stop()
    #expect(lab.web.requests.map(\.ifNoneMatch) == ["\"b\""])
    try await lab.checkLibrary()
  }

  @Test("A new list in the archive is a new record on top; a new entry is added to its own list")
  func newList() async throws {
    let lab = try Lab()
    let location = "http://h/lists.zip"
    let first = lab.archive.archive(
      "one", [.init("cats.json", list([1, 2])), .init("dogs.json", list([3]))])
    let second = lab.archive.archive(
      "two",
      [
        .init("birds.json", list([4])), .init("cats.json", list([1, 2])),
        .init("dogs.json", list([5, 3])), .init("eels.json", list([6])),
        .init("empty.json", list([])),
      ])
    lab.web.serve(location, .file(first, tag: "\"1\""))
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let ids = try await engine.add(Lab.request(location)).records
    try await engine.waitUntilIdle()
    lab.web.serve(location, .file(second, tag: "\"2\""))
    let result = try await engine.refresh(ids[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(result.newRecords.count == 2 && result.newEntries == 1)
    let records = try await lab.records()
    #expect(records.map(\.title) == ["birds", "eels", "cats", "dogs"])
    #expect(records.map(\.id) == result.newRecords + ids)
    #expect(records.map(\.counts.finished) == [1, 1, 2, 2])
    #expect(try await urls(lab, ids[1]) == [Lab.url(5), Lab.url(3)])
    try await events.until(.recordAdded(result.newRecords[0], title: "birds"))
    try await lab.checkLibrary()
  }

  @Test("A list that cannot be read, or is truncated, changes nothing")
  func broken() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.web.serve(Lab.list, .file(list([1, 2])))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve(
      Lab.list, FakeAnswer(status: 500),
      FakeAnswer(body: Array(#"["/p/9.png", {"url""#.utf8)), .file(list([3, 1, 2]), tag: "\"3\""))
    for _ in 0..<2 {
      await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
      #expect(try await urls(lab, record) == [Lab.url(1), Lab.url(2)])
    }
    #expect(try await engine.refresh(record).newEntries == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }

  @Test("A file on this machine is read again; standard input cannot be")
  func otherSources() async throws {
    let lab = try Lab()
    let outside = try TemporaryFolder()
    let path = try outside.write("list.json", Array(#"["\#(Lab.url(1))"]"#.utf8))
    let engine = try await lab.started()
    let record = try await engine.add(SourceRequest(location: .file(path))).records[0]
    _ = try outside.write("list.json", Array(#"["\#(Lab.url(2))", "\#(Lab.url(1))"]"#.utf8))
    #expect(try await engine.refresh(record).newEntries == 1)
    let spool = "\(lab.layout.incoming)/stdin.spool"
    try FileSystem.replace(spool, with: Array(Lab.url(3).utf8).span.bytes)
    let typed = try await engine.add(SourceRequest(location: .standardInput(spool: spool)))
      .records[0]
    await #expect(
      throws: LibraryError(.source, "standard input cannot be read a second time")
    ) { try await engine.refresh(typed) }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 3)
    try await lab.checkLibrary()
  }

  @Test("Many simultaneous refreshes find the new entries once")
  func atOnce() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    lab.serveList([Lab.url(3), Lab.url(2), Lab.url(1)])
    let new = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 { group.addTask { try await engine.refresh(record).newEntries } }
      return try await group.reduce(0, +)
    }
    #expect(new == 2)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab, record) == [Lab.url(3), Lab.url(2), Lab.url(1)])
    try await lab.checkLibrary()
  }

  @Test("New entries of a paused record wait; those of a removed record are ignored")
  func pausedAndRemoved() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate), .file(Lab.image(1)))
    lab.serveList([Lab.url(1)])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await engine.pause(record)
    lab.serveList([Lab.url(2), Lab.url(1)])
    #expect(try await engine.refresh(record).newEntries == 1)
    #expect(lab.web.requests(for: Lab.url(2)).isEmpty)
    try await engine.resume(record)
    try await engine.waitUntilIdle()
    try await engine.remove(record)
    await #expect(throws: LibraryError(.noSuchRecord, "there is no record \(record)")) {
      try await engine.refresh(record)
    }
    await engine.stop()
    try await lab.checkLibrary()
  }

  // MARK: - Further pages

  private func page(_ numbers: [Int], next: String?) -> FakeAnswer {
    let items = numbers.map { "\"/p/\($0).png\"" }.joined(separator: ",")
    let next = next.map { #", "next": "\#($0)""# } ?? ""
    return FakeAnswer(body: Array(#"{"items": [\#(items)]\#(next)}"#.utf8))
  }

  @Test("A lazy list reads one page; each further page on request, until the end")
  func loadMore() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/all", page([1, 2], next: "?2"))
    lab.web.serve("http://h/all?2", page([3, 1], next: "?3"))
    lab.web.serve("http://h/all?3", page([4], next: nil))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request("http://h/all", isLazy: true)).records[0]
    #expect(try await urls(lab, record) == [1, 2].map { Lab.url($0) })
    // Existing entries are not added a second time.
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await urls(lab, record) == [1, 2, 3].map { Lab.url($0) })
    await engine.stop()
    lab.newProcess()
    lab.web.serve("http://h/all?3", page([4], next: nil))
    let next = try await lab.started()
    #expect(try await next.loadMore(record) == 1)
    #expect(try await next.loadMore(record) == 0)
    #expect(try await urls(lab, record) == [1, 2, 3, 4].map { Lab.url($0) })
    await next.stop()
    #expect(lab.web.requests.map(\.url) == ["http://h/all?3"])
    try await lab.checkLibrary()
  }

  @Test("Refreshing a lazy list reads its first page only, and does not forget its position")
  func refreshLazy() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/all", page([1], next: "?2"))
    lab.web.serve("http://h/all?2", page([2], next: "?3"))
    lab.web.serve("http://h/all?3", page([3], next: nil))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request("http://h/all", isLazy: true)).records[0]
    _ = try await engine.loadMore(record)
    lab.web.serve("http://h/all", page([9, 1], next: "?2"))
    lab.web.forgetRequests()
    #expect(try await engine.refresh(record).newEntries == 1)
    #expect(lab.web.requests.map(\.url) == ["http://h/all"])
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await urls(lab, record) == [9, 1, 2, 3].map { Lab.url($0) })
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "With source.pages on-demand an ordinary list is read page by page, too, and downloads each")
  func onDemand() async throws {
    let lab = try Lab()
    lab.settings.source.pages = .onDemand
    lab.web.serve("http://h/all", page([1, 2], next: "?2"))
    lab.web.serve("http://h/all?2", page([3], next: "?3"))
    lab.web.serve("http://h/all?3", page([4], next: nil))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request("http://h/all")).records[0]
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url).sorted() == ["http://h/all", Lab.url(1), Lab.url(2)])
    lab.web.forgetRequests()
    #expect(try await engine.loadMore(record) == 1)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url) == ["http://h/all?2", Lab.url(3)])
    // What was read on is not forgotten by a refresh, which reads the first page alone.
    lab.web.serve("http://h/all", page([9, 1, 2], next: "?2"))
    lab.web.forgetRequests()
    #expect(try await engine.refresh(record).newEntries == 1)
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await engine.loadMore(record) == 0)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab, record) == [9, 1, 2, 3, 4].map { Lab.url($0) })
    #expect(try await lab.disk.totals().finished == 5)
    try await lab.checkLibrary()
  }

  @Test("A page that leads to itself is the last one")
  func circle() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/all", page([1], next: "?2"))
    lab.web.serve("http://h/all?2", page([2], next: "?2"))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request("http://h/all", isLazy: true)).records[0]
    #expect(try await engine.loadMore(record) == 1)
    #expect(try await engine.loadMore(record) == 0)
    await engine.stop()
  }

  @Test("A page that cannot be read is requested again the next time")
  func brokenPage() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.web.serve("http://h/all", page([1], next: "?2"))
    lab.web.serve("http://h/all?2", FakeAnswer(status: 500), page([2], next: nil))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request("http://h/all", isLazy: true)).records[0]
    await #expect(throws: LibraryError.self) { try await engine.loadMore(record) }
    #expect(try await engine.loadMore(record) == 1)
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test("An unchanged first page does not hide new entries on the pages after it")
  func furtherPages() async throws {
    let lab = try Lab()
    func page(_ next: String, _ number: Int) -> [UInt8] {
      Array("{\(next)\"items\": [\"\(Lab.url(number))\"]}".utf8)
    }
    lab.web.serve(
      Lab.list, FakeAnswer(body: page("\"next\": \"/2\", ", 1)).with("ETag", "\"a\""))
    lab.web.serve("http://h/2", FakeAnswer(body: page("", 2)))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve("http://h/2", FakeAnswer(body: page("", 3)))
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    try await engine.waitUntilIdle()
    await engine.stop()
    let urls = try await urls(lab, record)
    #expect(Set(urls) == [Lab.url(1), Lab.url(2), Lab.url(3)])
  }

  @Test("A further page is named by its list and not by the user, also when it is read later")
  func furtherPageAddresses() async throws {
    let lab = try Lab()
    lab.settings.network.privateAddresses = .refuse
    let first = "http://127.0.0.1/1"
    for number in 1...3 {
      lab.web.serve(
        "http://127.0.0.1/\(number)",
        FakeAnswer(
          body: Array(
            "{\"next\": \"/\(number + 1)\", \"items\": [\"\(Lab.url(number))\"]}".utf8)))
    }
    lab.settings.source.pages = .onDemand
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(first)).records[0]
    _ = try await engine.loadMore(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: first).map(\.addresses) == [.noPublicToPrivate])
    #expect(lab.web.requests(for: "http://127.0.0.1/2").map(\.addresses) == [.publicOnly])
  }
}
