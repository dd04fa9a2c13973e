import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Pause and resume (DL6): of all, and of one record among others.
@Suite(.timeLimit(.minutes(60))) struct PausingTests {
  private func add(_ engine: Engine, _ lists: String...) async throws -> [RecordID] {
    var ids: [RecordID] = []
    for list in lists { ids += try await engine.add(Lab.request("http://h/\(list)")).records }
    return ids
  }

  // MARK: - All

  @Test("Pausing everything ends the transfers; they continue at the byte where they stopped")
  func all() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url, Lab.url(1), Lab.url(2)])
    lab.settings.network.maxConcurrentDownloads = 1
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    #expect(try await engine.pause(nil) == 3)
    #expect(lab.web.activity.value.active == 0)
    #expect(try await engine.pause(nil) == 0)
    let status = await engine.status()
    #expect(status.isPaused && status.active == 0)
    #expect(engine.snapshot().active.isEmpty)
    #expect(lab.web.requests(for: Lab.url(1)).isEmpty)
    #expect(try await engine.resume(nil) == 3)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == [nil, "bytes=100000-"])
    #expect(lab.web.requests(for: LongFile.url).last?.ifRange == "\"v1\"")
    #expect(try await lab.disk.totals().finished == 3)
    try await events.until(.paused(nil))
    try await events.until(.resumed(nil))
    try await lab.checkLibrary()
  }

  @Test("A pause lasts beyond the end of the program, and so do the partial files")
  func allPersistent() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url, Lab.url(1)])
    lab.settings.network.maxConcurrentDownloads = 1
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    try await engine.pause(nil)
    await engine.stop()
    lab.newProcess()
    lab.web.serve(LongFile.url, .file(LongFile.bytes))
    let next = try await lab.started()
    // Nothing of it is this one's to do.
    try await next.waitUntilIdle()
    #expect(lab.web.requests.isEmpty)
    #expect(await next.status().isPaused)
    try await next.resume(nil)
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == ["bytes=100000-"])
    #expect(try await lab.disk.totals().finished == 2)
    try await lab.checkLibrary()
  }

  @Test(
    "A call that waits for the end also waits for the end of a later pause",
    arguments: [true, false])
  func waitsThrough(isOfAll: Bool) async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    #expect(try await engine.pause(isOfAll ? nil : record) == 1)
    let waiting = Task { try await engine.waitUntilIdle() }
    #expect(await !engine.status().isIdle)
    try await engine.resume(isOfAll ? nil : record)
    try await waiting.value
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).count == 2)
    #expect(try await lab.disk.totals().finished == 1)
  }

  @Test("Without anything to pause or to resume nothing changes")
  func nothing() async throws {
    let lab = try Lab()
    lab.serveImages(1...2)
    let engine = try await lab.started()
    #expect(try await engine.pause(nil) == 0)
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    #expect(try await engine.pause(nil) == 0)
    #expect(try await engine.pause(record) == 0)
    #expect(try await engine.resume(nil) == 0)
    #expect(try await engine.resume(record) == 0)
    #expect(await !engine.status().isPaused)
    let refusal = LibraryError(.noSuchRecord, "there is no record 99")
    await #expect(throws: refusal) { try await engine.pause(RecordID(99)) }
    await #expect(throws: refusal) { try await engine.resume(RecordID(99)) }
    await #expect(throws: refusal) { try await engine.retry(RecordID(99)) }
    await engine.stop()
  }

  @Test("Records that are added to a paused library wait")
  func addWhilePaused() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate), .file(Lab.image(1)))
    lab.serveImages(1...1, at: "http://h/a.txt")
    lab.serveImages(2...4, at: "http://h/b.txt")
    let engine = try await lab.started()
    _ = try await add(engine, "a.txt")
    try await gate.untilWaiting()
    try await engine.pause(nil)
    _ = try await add(engine, "b.txt")
    #expect(lab.web.requests.filter { $0.url.contains("/p/") }.count == 1)
    #expect(try await engine.resume(nil) == 4)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 4)
    try await lab.checkLibrary()
  }

  // MARK: - One record

  @Test("Pausing A does not stop B, even with the same URL; A's file is linked later")
  func oneOfTwo() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url, Lab.url(1)], at: "http://h/a.txt")
    lab.serveList([LongFile.url, Lab.url(2)], at: "http://h/b.txt")
    lab.settings.network.maxConcurrentDownloads = 1
    let engine = try await lab.open()
    let ids = try await add(engine, "a.txt", "b.txt")
    try await engine.start()
    try await gate.untilWaiting()
    #expect(try await engine.pause(ids[0]) == 2)
    #expect(lab.web.activity.value.hosts["http://h"] == 1)
    gate.open()
    try await lab.untilCommitted { $0.finished == 2 }
    let records = try await lab.records()
    #expect(records.map(\.isPaused) == [true, false])
    #expect(records.map(\.counts.finished) == [0, 2])
    #expect(lab.web.requests(for: Lab.url(1)).isEmpty)
    #expect(try await engine.resume(ids[0]) == 2)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).count == 1)
    #expect(try await lab.inodes(records[0]).first == lab.inodes(records[1]).first)
    try await lab.checkLibrary()
  }

  @Test("A paused record's transfer stops unless another record needs it, and continues by range")
  func stopsAlone() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveImages(1...3, at: "http://h/b.txt")
    let engine = try await lab.started()
    let ids = try await add(engine, "a.txt")
    try await gate.untilWaiting()
    try await engine.pause(ids[0])
    #expect(lab.web.activity.value.active == 0)
    _ = try await add(engine, "b.txt")
    try await lab.untilCommitted { $0.finished == 3 }
    try await engine.resume(ids[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == [nil, "bytes=100000-"])
    try await lab.checkLibrary()
  }

  @Test("A paused record stays paused in the next run, while the others continue")
  func onePersistent() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveImages(1...3, at: "http://h/b.txt")
    let engine = try await lab.started()
    let ids = try await add(engine, "a.txt")
    try await gate.untilWaiting()
    try await engine.pause(ids[0])
    await engine.stop()
    lab.newProcess()
    lab.web.serve(LongFile.url, .file(LongFile.bytes))
    lab.serveImages(1...3, at: "http://h/b.txt")
    let next = try await lab.started()
    _ = try await add(next, "b.txt")
    try await next.waitUntilIdle()
    #expect(lab.web.requests(for: LongFile.url).isEmpty)
    // Resuming everything is resuming each.
    #expect(try await next.resume(nil) == 1)
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == ["bytes=100000-"])
    #expect(try await lab.records().map(\.isPaused) == [false, false])
    try await lab.checkLibrary()
  }

  @Test("B joins the transfer that A began and left, and continues where A stopped")
  func inherits() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveList([LongFile.url], at: "http://h/b.txt")
    let engine = try await lab.started()
    let ids = try await add(engine, "a.txt")
    try await gate.untilWaiting()
    try await engine.pause(ids[0])
    _ = try await add(engine, "b.txt")
    try await lab.untilCommitted { $0.finished == 1 }
    try await engine.resume(ids[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == [nil, "bytes=100000-"])
    try await lab.checkLibrary()
  }

  @Test("Repeated pausing and resuming loses nothing", arguments: 0..<4)
  func again(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 3
    lab.serveImages(1...60, at: "http://h/a.txt")
    lab.serveImages(30...90, at: "http://h/b.txt")
    let engine = try await lab.started()
    let ids = try await add(engine, "a.txt", "b.txt")
    for _ in 0..<30 {
      let target = [nil, ids[0], ids[1]].randomElement(using: &random) ?? nil
      if Bool.random(using: &random) {
        try await engine.pause(target)
      } else {
        try await engine.resume(target)
      }
    }
    try await engine.resume(nil)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().map(\.counts.finished) == [60, 61])
    try await lab.checkLibrary()
  }
}
