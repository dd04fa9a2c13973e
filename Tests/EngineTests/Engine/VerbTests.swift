import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// `retry`, `remove`, `reset`, and the slider.
@Suite(.timeLimit(.minutes(60))) struct VerbTests {
  // MARK: - Retry

  @Test("Retry queues exactly the failed resources")
  func retry() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.settings.network.maxConcurrentDownloads = 1
    lab.web.serve("http://h/1.png", FakeAnswer(status: 404), .file(Lab.image(1)))
    lab.web.serve("http://h/2.png", FakeAnswer(status: 500), FakeAnswer(status: 404))
    lab.serveList([Lab.url(9), "http://h/1.png", "http://h/2.png"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().failed == 2)
    lab.web.forgetRequests()
    #expect(try await engine.retry() == 2)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url) == ["http://h/1.png", "http://h/2.png"])
    let progress = engine.snapshot()
    #expect(progress.finished == 2 && progress.failed == 1 && progress.total == 3)
    #expect(try await engine.retry() == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Retry of one record leaves the failures of others")
  func retryOne() async throws {
    let lab = try Lab()
    lab.serveList(["http://h/a-gone.png"], at: "http://h/a.txt")
    lab.serveList(["http://h/b-gone.png"], at: "http://h/b.txt")
    let engine = try await lab.started()
    let first = try await engine.add(Lab.request("http://h/a.txt"))
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await engine.waitUntilIdle()
    lab.web.forgetRequests()
    #expect(try await engine.retry(first.records[0]) == 1)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url) == ["http://h/a-gone.png"])
    await engine.stop()
  }

  @Test("A failed transfer is continued by a retry, also in a later process")
  func retryGoesOn() async throws {
    for isLater in [false, true] {
      let lab = try Lab()
      lab.settings.network.retries = 0
      let bytes = Lab.image(1)
      func answers() { lab.web.serve(Lab.url(1), .file(bytes)) }
      lab.web.serve(Lab.url(1), FakeAnswer.file(bytes).cut(after: 50), .file(bytes))
      lab.serveImages(1...1)
      var engine = try await lab.started()
      _ = try await engine.add(Lab.request())
      try await engine.waitUntilIdle()
      if isLater {
        await engine.stop()
        lab.newProcess()
        answers()
        engine = try await lab.started()
      }
      #expect(try await engine.retry() == 1)
      try await engine.waitUntilIdle()
      #expect(lab.web.requests.last?.range == "bytes=50-")
      await engine.stop()
      #expect(try await lab.disk.totals().finished == 1)
      try await lab.checkLibrary()
    }
  }

  @Test("Retry while others run keeps the counts correct")
  func retryAmongOthers() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    let fallback: [String] = (1...60).map { $0 % 3 == 0 ? "http://h/\($0).png" : Lab.url($0) }
    lab.serveList(fallback)
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await events.until { if case .failed = $0 { true } else { false } }
    for _ in 0..<10 { _ = try await engine.retry() }
    try await engine.waitUntilIdle()
    let progress = engine.snapshot()
    #expect(progress.finished == 40 && progress.failed == 20 && progress.total == 60)
    await engine.stop()
    try await lab.checkLibrary()
  }

  // MARK: - Remove

  @Test("Remove ends the work of the record and deletes its files; the user's own files stay")
  func remove() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(3), FakeAnswer.file(Lab.image(3)).held(by: gate, after: 20))
    lab.serveImages(1...6)
    lab.serveImages(11...12, at: "http://h/other.txt")
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let record = try #require(try await engine.add(Lab.request()).records.first)
    _ = try await engine.add(Lab.request("http://h/other.txt"))
    try await gate.untilWaiting()
    try await lab.untilCommitted { $0.finished >= 7 }
    _ = try lab.folder.write("list/mine.txt", [1])
    try await engine.remove(record)
    try await engine.waitUntilIdle()
    #expect(try lab.names("list") == ["mine.txt"])
    #expect(try lab.names("other").count == 2)
    #expect(engine.snapshot().records.map(\.title) == ["other"])
    #expect(try await lab.records().map(\.title) == ["other"])
    try await events.until(.recordRemoved(record))
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test(
    "Removing waiting resources, at any moment, neither stops nor revives others", arguments: 0..<12
  )
  func removeAtAnyMoment(settled: Int) async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 3
    lab.serveImages(1...600, at: "http://h/a.txt")
    lab.serveImages(701...720, at: "http://h/b.txt")
    let engine = try await lab.started()
    let record = try #require(try await engine.add(Lab.request("http://h/a.txt")).records.first)
    _ = try await engine.add(Lab.request("http://h/b.txt"))
    try await lab.web.activity.until { $0.ended >= 2 + settled * 30 }
    try await engine.remove(record)
    lab.web.forgetRequests()
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.allSatisfy { Int($0.url.dropFirst(11).dropLast(4)) ?? 0 > 700 })
    #expect(engine.snapshot().finished == 20)
    await engine.stop()
    #expect(try await lab.disk.totals().total == 20)
    try await lab.checkLibrary()
  }

  @Test("Removing a record a second time is an error")
  func removeTwice() async throws {
    let lab = try Lab()
    lab.serveImages(1...1)
    let engine = try await lab.started()
    let record = try #require(try await engine.add(Lab.request()).records.first)
    try await engine.waitUntilIdle()
    try await engine.remove(record)
    await #expect(throws: LibraryError(.noSuchRecord, "there is no record \(record)")) {
      try await engine.remove(record)
    }
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Removing works in an engine that is not started")
  func removeUnstarted() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    let record = try #require(try await lab.run().records.first)
    lab.newProcess()
    let engine = try await lab.open()
    try await engine.remove(record)
    await engine.stop()
    #expect(try await lab.records().isEmpty)
    try await lab.checkLibrary()
  }

  @Test("A record that cannot be removed continues")
  func removeFails() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(2), FakeAnswer.file(Lab.image(2)).held(by: gate), .file(Lab.image(2)))
    lab.serveImages(1...4)
    let engine = try await lab.open { name, _, _ in
      name == "markRemoved" ? .fail(StoreError(.busy, "busy")) : .pass
    }
    try await engine.start()
    let record = try #require(try await engine.add(Lab.request()).records.first)
    try await gate.untilWaiting()
    await #expect(throws: LibraryError(.locked, "busy")) { try await engine.remove(record) }
    gate.open()
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 4)
    await engine.stop()
  }

  @Test("A removal whose mark does not fit on the disk uses the reserve for it")
  func removeOnFullDisk() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    let reserve = lab.layout.internals + "/reserve"
    let engine = try await lab.open { name, _, _ in
      name == "markRemoved" && FileSystem.exists(reserve)
        ? .fail(StoreError(.diskFull, "the disk is full")) : .pass
    }
    try await engine.start()
    let record = try #require(try await engine.add(Lab.request()).records.first)
    try await engine.waitUntilIdle()
    #expect(FileSystem.exists(reserve))
    try await engine.remove(record)
    #expect(try await lab.records().isEmpty)
    #expect(FileSystem.exists(reserve))
    await engine.stop()
    try await lab.checkLibrary()
  }

  // MARK: - Reset

  @Test("Reset removes everything except files that are not ours, as before the first start")
  func reset() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(3), FakeAnswer.file(Lab.image(3)).held(by: gate, after: 20))
    lab.serveImages(1...6)
    let engine = try await lab.started()
    try await engine.setConcurrency(2)
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    try await lab.untilCommitted { $0.finished >= 2 }
    _ = try lab.folder.write("list/mine.txt", [1])
    _ = try lab.folder.write(".imgdl/config.json", [0x7b, 0x7d])
    let incoming = try FileSystem.status(lab.layout.incoming).inode
    try await engine.reset()
    try await engine.waitUntilIdle()
    #expect(try lab.names("list") == ["mine.txt"])
    // A source may be on its way into it meanwhile, which no reset may fail of.
    #expect(try FileSystem.status(lab.layout.incoming).inode == incoming)
    #expect(FileSystem.exists(lab.layout.settings))
    #expect(lab.incomingFiles.isEmpty)
    #expect(try lab.names(".imgdl/renditions").isEmpty)
    #expect(engine.snapshot().records.isEmpty && engine.snapshot().active.isEmpty)
    #expect(try await lab.disk.totals().total == 0)
    // The engine continues to work, as after the first start.
    lab.serveImages(21...30, at: "http://h/new.txt")
    _ = try await engine.add(Lab.request("http://h/new.txt"))
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().finished == 10)
    let limit = await engine.run { $0.transfers.scheduler.limit }
    #expect(limit == lab.settings.network.maxConcurrentDownloads)
    await engine.stop()
  }

  @Test("Reset works in an engine that is not started, and the same source is new again")
  func resetUnstarted() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    try await lab.run()
    lab.newProcess()
    let engine = try await lab.open()
    try await engine.reset()
    await engine.stop()
    #expect(try FileSystem.list(lab.folder.path).map(\.name) == [".imgdl"])
    lab.newProcess()
    lab.serveImages(1...3)
    #expect(try await lab.run().outcome == .appended)
    #expect(try await lab.records().map(\.folder) == ["list"])
  }

  @Test("A reset that fails reports it, and the engine continues")
  func resetFails() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    let engine = try await lab.open { name, _, _ in
      name == "removeAll" ? .fail(StoreError(.busy, "busy")) : .pass
    }
    try await engine.start()
    await #expect(throws: LibraryError(.locked, "busy")) { try await engine.reset() }
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 3)
    await engine.stop()
  }

  // MARK: - The slider

  @Test("A limit takes effect at once: four, then one, then eight")
  func concurrency() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 4
    let gates = (1...40).map { number in
      let gate = Gate()
      lab.web.serve(Lab.url(number), FakeAnswer.file(Lab.image(number)).held(by: gate))
      return gate
    }
    lab.serveImages(1...40)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.web.activity.until { $0.active == 4 }
    try await engine.setConcurrency(1)
    for gate in gates[0..<4] {
      #expect(lab.web.activity.value.hosts["http://h"] ?? 0 <= 4)
      gate.open()
    }
    // The fifth is alone.
    try await gates[4].untilWaiting()
    #expect(lab.web.activity.value.active == 1)
    gates[4].open()
    try await gates[5].untilWaiting()
    #expect(lab.web.activity.value.active == 1)
    try await engine.setConcurrency(8)
    try await lab.web.activity.until { $0.active == 8 }
    for gate in gates { gate.open() }
    try await engine.waitUntilIdle()
    #expect(lab.web.activity.value.peak == 8)
    await engine.stop()
  }

  @Test("A limit that is set before the start applies from the start")
  func concurrencyBeforeStart() async throws {
    let lab = try Lab()
    let gate = Gate()
    for number in 1...10 {
      lab.web.serve(Lab.url(number), FakeAnswer.file(Lab.image(number)).held(by: gate))
    }
    lab.serveImages(1...10)
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request())
    try await engine.setConcurrency(3)
    try await engine.start()
    try await gate.untilWaiting(3)
    gate.open()
    try await engine.waitUntilIdle()
    #expect(lab.web.activity.value.peak == 3)
    await engine.stop()
  }

  @Test("A host gets no more than its limit while others continue")
  func perHost() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 8
    lab.settings.network.maxPerHost = 2
    lab.serveList((1...30).map { Lab.url($0, host: $0 % 3 == 0 ? "b" : "a") })
    try await lab.run()
    #expect(lab.web.activity.value.hostPeaks["http://a"] ?? 0 <= 2)
    #expect(lab.web.activity.value.hostPeaks["http://b"] ?? 0 <= 2)
    #expect(try await lab.disk.totals().finished == 30)
  }
}
