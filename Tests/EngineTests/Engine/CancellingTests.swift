import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Cancel and remove in the middle of a file: what goes, and what others keep.
@Suite(.timeLimit(.minutes(60))) struct CancellingTests {
  private func add(_ engine: Engine, _ lists: String...) async throws -> [RecordID] {
    var ids: [RecordID] = []
    for list in lists { ids += try await engine.add(Lab.request("http://h/\(list)")).records }
    return ids
  }

  @Test(
    "Cancelling abandons resources that are not downloaded, with their partial files; retry queues them"
  )
  func cancel() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.settings.network.maxConcurrentDownloads = 1
    lab.serveList([Lab.url(1), LongFile.url, Lab.url(2)])
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await lab.untilCommitted { $0.finished == 1 }
    #expect(try await engine.cancel(record) == 2)
    try await engine.waitUntilIdle()
    #expect(try await lab.allResources().map(\.reason) == [nil, "cancelled", "cancelled"])
    #expect(engine.snapshot().failed == 2 && engine.snapshot().active.isEmpty)
    #expect(lab.incomingFiles.isEmpty)
    try await events.until(.cancelled(record, count: 2))
    #expect(try await engine.cancel(record) == 0)
    #expect(try await engine.retry(record) == 2)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == [nil, nil])
    #expect(lab.web.requests(for: Lab.url(1)).count == 1)
    #expect(try await lab.disk.totals().finished == 3)
    try await lab.checkLibrary()
  }

  @Test("A resource that another record needs is not stopped by a cancel, and keeps its bytes")
  func cancelShared() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveList([LongFile.url], at: "http://h/b.txt")
    let engine = try await lab.open()
    let ids = try await add(engine, "a.txt", "b.txt")
    try await engine.start()
    try await gate.untilWaiting()
    #expect(try await engine.cancel(ids[0]) == 1)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).count == 1)
    #expect(try await lab.records().map(\.counts.finished) == [0, 1])
    try await lab.checkLibrary()
  }

  @Test("A transfer that continues for another record is not in the progress of the cancelled one")
  func cancelSharedProgress() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveList([LongFile.url], at: "http://h/b.txt")
    let engine = try await lab.open()
    let ids = try await add(engine, "a.txt", "b.txt")
    try await engine.start()
    try await gate.untilWaiting()
    #expect(try await engine.cancel(ids[0]) == 1)
    let shown = engine.snapshot().records.first { $0.id == ids[0] }
    #expect(shown?.total == 1 && shown?.failed == 1)
    #expect(engine.snapshot().active.allSatisfy { $0.record != ids[0] })
    gate.open()
    try await engine.waitUntilIdle()
    let both = engine.snapshot().records
    #expect(both.map(\.failed) == [1, 0] && both.map(\.finished) == [0, 1])
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The partial file of a paused record is not discarded by a cancel of another one")
  func cancelBesidePaused() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveList([LongFile.url], at: "http://h/b.txt")
    let engine = try await lab.open()
    let ids = try await add(engine, "a.txt", "b.txt")
    try await engine.start()
    try await gate.untilWaiting()
    try await engine.pause(ids[0])
    try await engine.cancel(ids[1])
    try await engine.resume(ids[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == [nil, "bytes=100000-"])
    try await lab.checkLibrary()
  }

  @Test(
    "The partial file is kept after a restart, too, when the paused record is not in memory",
    arguments: [false, true])
  func cancelBesidePausedLater(removing: Bool) async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url], at: "http://h/a.txt")
    lab.serveList([LongFile.url], at: "http://h/b.txt")
    let engine = try await lab.open()
    let ids = try await add(engine, "a.txt", "b.txt")
    try await engine.start()
    try await gate.untilWaiting()
    try await engine.pause(ids[0])
    await engine.stop()
    lab.newProcess()
    let next = try await lab.open()
    if removing { try await next.remove(ids[1]) } else { try await next.cancel(ids[1]) }
    try await next.start()
    try await next.resume(ids[0])
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests(for: LongFile.url).map(\.range) == ["bytes=100000-"])
    try await lab.checkLibrary()
  }

  @Test("Cancelling a paused record abandons it; it stays paused, and retry waits for resume")
  func cancelPaused() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await engine.pause(record)
    #expect(try await engine.cancel(record) == 1)
    try await engine.waitUntilIdle()
    #expect(lab.incomingFiles.isEmpty)
    #expect(try await engine.retry(record) == 1)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests(for: LongFile.url).count == 1)
    #expect(try await engine.resume(record) == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 1)
    try await lab.checkLibrary()
  }

  @Test("A resume during a cancel waits for it: no abandoned resource is downloaded")
  func resumeDuringCancel() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    let engine = try await lab.open()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.pause(record)
    try await engine.start()
    async let cancelled = engine.cancel(record)
    // It may be over before this looks.
    try await engine.until { stages in
      stages.verbs.isUnderWay(on: record)
        || (try? stages.context.store.record(record)?.counts.failed) == 3
    }
    async let resumed = engine.resume(record)
    #expect(try await cancelled == 3)
    #expect(try await resumed == 0)
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().failed == 3 && engine.snapshot().finished == 0)
    #expect(lab.web.requests(for: Lab.url(1)).isEmpty)
    await engine.stop()
    #expect(try await lab.disk.totals().failed == 3)
    try await lab.checkLibrary()
  }

  @Test("A cancelled transfer without a validator leaves nothing, either")
  func cancelWithoutValidator() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate, tag: nil)
    lab.serveList([LongFile.url])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await engine.cancel(record)
    try await engine.waitUntilIdle()
    #expect(lab.incomingFiles.isEmpty)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Removing a record that is paused during a transfer leaves none of its files")
  func removePaused() async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    lab.serveList([LongFile.url, Lab.url(1)])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    try await engine.pause(record)
    try await engine.remove(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().isEmpty && lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }
}
