import Archive
import LibraryAPI
import Manifests
import Models
import Persistence
import Synchronization
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Sources that are far away, paged, broken or of no use.
@Suite(.timeLimit(.minutes(60))) struct SourceTests {
  private func error(
    _ lab: Lab, _ request: SourceRequest, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> LibraryError? {
    let engine = try await lab.started()
    var found: LibraryError?
    do throws(LibraryError) {
      let result = try await engine.add(request)
      Issue.record("\(result)", sourceLocation: sourceLocation)
    } catch {
      found = error
    }
    try await engine.waitUntilIdle()
    #expect(try await lab.records().isEmpty, sourceLocation: sourceLocation)
    #expect(try await lab.disk.incompleteSources().isEmpty, sourceLocation: sourceLocation)
    #expect(lab.incomingFiles.isEmpty, sourceLocation: sourceLocation)
    await engine.stop()
    return found
  }

  private func error(_ lab: Lab, _ url: String = Lab.list) async throws -> LibraryError? {
    try await error(lab, Lab.request(url))
  }

  @Test("A list in pages is one record, in the order of the pages")
  func pages() async throws {
    let lab = try Lab()
    func page(_ number: Int, next: String?) -> FakeAnswer {
      let next = next.map { #", "next": "\#($0)""# } ?? ""
      return FakeAnswer(body: Array(#"{"items": ["/p/\#(number).png"]\#(next)}"#.utf8))
    }
    lab.web.serve("http://h/all.json", page(1, next: "/all.json?page=2"))
    lab.web.serve("http://h/all.json?page=2", page(2, next: "?page=3"))
    lab.web.serve("http://h/all.json?page=3", page(3, next: nil))
    let result = try await lab.run("http://h/all.json")
    #expect(result.records.count == 1 && result.entryCount == 3)
    #expect(try await lab.allResources().map(\.url) == (1...3).map { Lab.url($0) })
    #expect(try await lab.records().first?.title == "all")
    try await lab.checkLibrary()
  }

  @Test("Pages may be named in the Link field")
  func linkField() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/all",
      FakeAnswer(body: Array(#"["/p/1.png"]"#.utf8))
        .with("Link", #"</all?2>; rel="next", </x>; rel="last""#))
    lab.web.serve("http://h/all?2", FakeAnswer(body: Array(#"["/p/2.png"]"#.utf8)))
    try await lab.run("http://h/all")
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)])
  }

  @Test("A cycle of pages ends, also through a redirect")
  func circle() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a", FakeAnswer(body: Array(#"{"items": ["/p/1.png"], "next": "/b"}"#.utf8)))
    var redirected = FakeAnswer(body: Array(#"{"items": ["/p/2.png"], "next": "/b"}"#.utf8))
    redirected.location = "http://h/a"
    lab.web.serve("http://h/b", redirected)
    let result = try await lab.run("http://h/a")
    #expect(result.entryCount == 1)
    #expect(
      result.problems == [
        "http://h/b: redirects to http://h/a, so that the pages of this list form a loop"
      ])
  }

  @Test("A next page without a usable URL is a problem; the entries stay")
  func badNext() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a",
      FakeAnswer(body: Array(#"{"items": ["/p/1.png"], "next": "javascript:alert(1)"}"#.utf8)))
    let result = try await lab.run("http://h/a")
    #expect(result.entryCount == 1 && result.problemCount == 1)
    #expect(try await lab.disk.totals().finished == 1)
  }

  @Test("Invalid entries are reported, the others are added")
  func badEntries() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a.json",
      FakeAnswer(
        body: Array(#"["/p/1.png", 7, "ftp://h/x", null, "/p/2.png", {"title": "x"}]"#.utf8)))
    let result = try await lab.run("http://h/a.json")
    #expect(result.entryCount == 2 && result.problemCount == 4)
    #expect(result.problems.first == "http://h/a.json, entry 2: is a number, not a URL")
  }

  @Test("The first thousand problems are kept, the others are counted")
  func manyProblems() async throws {
    let lab = try Lab()
    let bad = (0..<1_500).map { "ftp://h/\($0)" }
    lab.serveList(bad + [Lab.url(1)])
    let result = try await lab.run()
    #expect(result.problems.count == 1_000 && result.problemCount == 1_500)
  }

  @Test("A source without usable entries is an error with the first problem")
  func nothingUsable() async throws {
    let lab = try Lab()
    lab.web.serve(Lab.list, FakeAnswer(body: Array("ftp://h/x".utf8)))
    let found = try await error(lab)
    #expect(found?.code == .source && found?.detail.contains("no usable entry") == true)
    lab.newProcess()
    lab.web.serve(Lab.list, FakeAnswer(body: Array("[]".utf8)))
    #expect(try await error(lab) == LibraryError(.source, "\(Lab.list): the list is empty"))
  }

  @Test("A file that cannot be a source is named by its kind")
  func notASource() async throws {
    let lab = try Lab()
    for (body, words) in [
      ("<!doctype html><title>x", "web page"),
      ("{\"a\": [", "http://h/x"), ("PK\u{3}\u{4}unknown", "zip"),
    ] {
      lab.newProcess()
      lab.web.serve("http://h/x", FakeAnswer(body: Array(body.utf8)))
      let found = try await error(lab, "http://h/x")
      #expect(found?.code == .source, "\(String(describing: found))")
      #expect(found?.detail.contains(words) == true, "\(String(describing: found))")
    }
  }

  @Test("A status is named, and retried if that may help")
  func status() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 2
    lab.web.serve(Lab.list, FakeAnswer(status: 503))
    #expect(
      try await error(lab) == LibraryError(.source, "\(Lab.list): HTTP 503 Service Unavailable"))
    #expect(lab.web.requests.count == 3)
    lab.newProcess()
    lab.web.serve(
      Lab.list, FakeAnswer(status: 503).with("Retry-After", "30"),
      FakeAnswer(body: Array(Lab.url(1).utf8)))
    let before = lab.clock.now()
    try await lab.run()
    #expect(lab.clock.now() - before >= 30)
  }

  @Test(
    "Each way in which a source cannot be reached has its code",
    arguments: [
      (TransportError.Code.dns, LibraryError.Code.network), (.connectionRefused, .network),
      (.connectTimeout, .network), (.tls, .tls), (.addressRefused, .policy),
      (.tooManyRedirects, .source), (.protocolViolation, .source), (.limitExceeded, .policy),
    ])
  func unreachable(code: TransportError.Code, expected: LibraryError.Code) async throws {
    let lab = try Lab()
    lab.web.serve(Lab.list, .failure(code))
    let found = try await error(lab)
    #expect(found?.code == expected)
    #expect(found?.detail.hasPrefix(Lab.list) == true)
  }

  @Test("A source beyond the limit is refused by policy, and its spool file is removed")
  func tooLarge() async throws {
    let lab = try Lab()
    lab.settings.limits.resourceBytes = 100
    lab.web.serve(Lab.list, FakeAnswer(body: [UInt8](repeating: 0x20, count: 1_000)))
    let found = try await error(lab)
    #expect(found?.code == .policy && found?.detail.contains("limits.resourceBytes") == true)
  }

  @Test("A missing file, a folder and a pipe are named in the error")
  func badFiles() async throws {
    let lab = try Lab()
    let missing = lab.folder.path + "/missing.json"
    let found = try await error(lab, SourceRequest(location: .file(missing)))
    #expect(found?.code == .source && found?.detail.contains("missing.json") == true)
    lab.newProcess()
    let folder = try await error(lab, SourceRequest(location: .file(lab.layout.internals)))
    #expect(folder?.detail.contains("a folder, not a file") == true)
  }

  @Test("A damaged list in an archive is a problem; the other lists are read")
  func damagedList() async throws {
    let lab = try Lab()
    let zip = lab.archive.archive(
      "damaged",
      [
        .init("a.json", Array(#"["/p/1.png"]"#.utf8)),
        .init(
          "b.json", Array(#"["/p/2.png""#.utf8),
          fault: ArchiveError(.truncated, "ends too early", entryName: "b.json")),
        .init("c.json", Array(#"["/p/3.png"]"#.utf8)),
      ])
    lab.web.serve("http://h/l.zip", .file(zip))
    let result = try await lab.run("http://h/l.zip")
    #expect(result.problems == ["http://h/l.zip: b.json: ends too early"])
    #expect(try await lab.records().map(\.title).contains("a"))
    #expect(try await lab.records().map(\.title).contains("c"))
  }

  @Test("An archive whose lists are all encrypted is no source, and the error says why")
  func encryptedLists() async throws {
    let lab = try Lab()
    let fault = ArchiveError(.encrypted, "is encrypted", entryName: "a.json")
    lab.web.serve(
      "http://h/l.zip", .file(lab.archive.archive("e", [.init("a.json", fault: fault)])))
    let found = try await error(lab, "http://h/l.zip")
    #expect(found?.code == .source && found?.detail.contains("a.json: is encrypted") == true)
  }

  @Test("An add whose task is cancelled during a long list ends, and leaves nothing")
  func cancelled() async throws {
    let lab = try Lab()
    lab.serveList((1...20_000).map { Lab.url($0) })
    let adding = Mutex<Task<AddResult, any Error>?>(nil)
    let engine = try await lab.open { name, _, number in
      if name == "insertResources", number > 4 { adding.withLock { $0?.cancel() } }
      return .pass
    }
    try await engine.start()
    let gate = Gate()
    let task = Task {
      try await gate.pass()
      return try await engine.add(Lab.request())
    }
    adding.withLock { $0 = task }
    gate.open()
    await #expect(throws: LibraryError(.interrupted, "")) { try await task.value }
    try await engine.waitUntilIdle()
    #expect(try await lab.records().isEmpty)
    #expect(try await lab.disk.incompleteSources().isEmpty)
    #expect(lab.incomingFiles.isEmpty)
    await engine.stop()
  }

  @Test("A store that fails during a long list ends the add, not the program")
  func storeFails() async throws {
    let lab = try Lab()
    lab.serveList((1...20_000).map { Lab.url($0) })
    let engine = try await lab.open { name, _, number in
      name == "insertResources" && number > 4 ? .fail(StoreError(.diskFull, "full")) : .pass
    }
    try await engine.start()
    await #expect(throws: LibraryError(.diskFull, "full")) { try await engine.add(Lab.request()) }
    #expect(try await lab.records().isEmpty)
    await engine.stop()
  }

  @Test("A source is completed or discarded only after its last entries are stored or refused")
  func lastEntries() async throws {
    for fails in [false, true] {
      let lab = try Lab()
      lab.serveList((1...20).map { Lab.url($0) })
      let isInserted = Atomic<Bool>(false)
      let wasEarly = Atomic<Bool>(false)
      let engine = try await lab.open { name, _, _ in
        switch name {
        case "insertResources":
          isInserted.store(true, ordering: .releasing)
          return fails ? .fail(StoreError(.diskFull, "full")) : .pass
        case "completeSource" where fails || !isInserted.load(ordering: .acquiring):
          wasEarly.store(true, ordering: .releasing)
          return .pass
        default: return .pass
        }
      }
      let task = Task { try await engine.add(Lab.request()) }
      if fails {
        await #expect(throws: LibraryError(.diskFull, "full")) { try await task.value }
        #expect(try await lab.records().isEmpty)
      } else {
        #expect(try await task.value.entryCount == 20)
      }
      let wasCompletedEarly = wasEarly.load(ordering: .acquiring)
      #expect(!wasCompletedEarly)
      await engine.stop()
    }
  }

  @Test("An image whose row cannot be stored leaves no bytes", arguments: [1, 2])
  func onePictureFails(step: Int) async throws {
    let lab = try Lab()
    let engine = try await lab.open { name, _, _ in
      name == (step == 1 ? "insertResources" : "completeSource")
        ? .fail(StoreError(.diskFull, "full")) : .pass
    }
    await #expect(throws: LibraryError(.diskFull, "full")) {
      try await engine.add(Lab.request(Lab.url(5)))
    }
    #expect(lab.incomingFiles.isEmpty)
    await engine.stop()
  }

  @Test("An engine that was interrupted completes no add")
  func interrupted() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.list, FakeAnswer(body: Array(Lab.url(1).utf8)).held(by: gate))
    let engine = try await lab.started()
    let task = Task { try await engine.add(Lab.request()) }
    try await gate.untilWaiting()
    await engine.interrupt()
    gate.open()
    await #expect(throws: LibraryError(.interrupted, "")) { try await task.value }
    await engine.stop()
    #expect(try await lab.records().isEmpty)
  }

  @Test("A series keeps its order, names its slices, and fails slice by slice")
  func series() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    let names = ["10", "2", "a b", "1"]
    let json = #"{"id": "chest/1", "slices": ["10", "2", "a b", "1"]}"#
    lab.web.serve("http://h/api/series", FakeAnswer(body: Array(json.utf8)))
    for (index, name) in names.enumerated() where name != "2" {
      let path = name.replacing(" ", with: "%20")
      lab.web.serve(
        "http://h/api/series/chest%2F1/slice/\(path)", .file(Lab.image(index)))
    }
    var request = try Lab.request("http://h/api")
    request.format = .series
    let engine = try await lab.started()
    let result = try await engine.add(request)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(result.entryCount == 4)
    let resources = try await lab.allResources()
    #expect(resources.map(\.title) == names)
    #expect(resources.map(\.state) == [.finished, .failed, .finished, .finished])
    #expect(resources[1].reason == "HTTP 404 Not Found")
    let record = try #require(try await lab.records().first)
    #expect(try lab.bytes(resources[3], record) == Lab.image(3))
  }
}
