import LibraryAPI
import Models
import Persistence
import Synchronization
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Verbs that a kill or a full disk interrupts.
@Suite(.timeLimit(.minutes(60))) struct InterruptedVerbTests {
  @Test(
    "A verb that a kill interrupts is finished when the library is opened",
    arguments: [2, 3], ["cancel", "retry", "reload"])
  func interrupted(part: Int, verb: String) async throws {
    let lab = try Lab()
    lab.serveList((1...300).map { Lab.url($0) })
    let first = try await lab.open()
    let record = try #require(try await first.add(Lab.request()).records.first)
    if verb == "retry" { _ = try await first.cancel(record) }
    await first.stop()
    lab.newProcess()
    let parts = Mutex(0)
    let engine = try await lab.open { name, _, _ in
      guard name == "advance" else { return .pass }
      let number = parts.withLock { parts in
        parts += 1
        return parts
      }
      return number == part ? .dieBefore : .pass
    }
    await #expect(throws: LibraryError.self) {
      switch verb {
      case "cancel": _ = try await engine.cancel(record)
      case "retry": _ = try await engine.retry(record)
      default: _ = try await engine.reload(record)
      }
    }
    await engine.stop()
    let changed = try await lab.allResources().count {
      verb == "cancel" ? $0.state == .failed : verb == "retry" ? $0.state == .queued : $0.mustReload
    }
    #expect((1..<300).contains(changed))
    lab.newProcess()
    let next = try await lab.open()
    await next.stop()
    let all = try await lab.allResources()
    switch verb {
    case "cancel": #expect(all.allSatisfy { $0.state == .failed && $0.reason == "cancelled" })
    case "retry": #expect(all.allSatisfy { $0.state == .queued && $0.reason == nil })
    default: #expect(all.allSatisfy { $0.state == .queued && $0.mustReload })
    }
    #expect(try await lab.disk.recordsInChange() == [])
    try await lab.checkLibrary()
  }

  @Test("A change for which the disk has no room is left for later, and the library opens")
  func fullDisk() async throws {
    let lab = try Lab()
    lab.serveList((1...300).map { Lab.url($0) })
    let first = try await lab.open { name, _, number in
      name == "advance" ? .fail(StoreError(.diskFull, "full")) : .pass
    }
    let record = try #require(try await first.add(Lab.request()).records.first)
    await #expect(throws: LibraryError(.diskFull, "full")) { try await first.cancel(record) }
    await first.stop()
    lab.newProcess()
    let second = try await lab.open { name, _, _ in
      name == "advance" ? .fail(StoreError(.diskFull, "full")) : .pass
    }
    await second.stop()
    #expect(try await lab.disk.recordsInChange() == [record])
    lab.newProcess()
    await (try await lab.open()).stop()
    #expect(try await lab.allResources().allSatisfy { $0.state == .failed })
    #expect(try await lab.disk.recordsInChange() == [])
  }

  @Test("After a reset that a kill interrupts callers get what they ask for")
  func resetInterrupted() async throws {
    let lab = try Lab()
    let url = "http://h/a.bin"
    lab.web.serve(url, .file([1, 2, 3]))
    let first = try await lab.started()
    _ = try await first.resource(at: HTTPURL(url), .cached)
    await first.stop()
    lab.newProcess()
    let engine = try await lab.open { name, _, _ in name == "removeRows" ? .dieBefore : .pass }
    await #expect(throws: LibraryError.self) { try await engine.reset() }
    await engine.stop()
    #expect(
      try await lab.disk.read { rows throws(StoreError) in try rows.removedRecords() }.count == 1)
    lab.newProcess()
    lab.web.serve(url, .file([1, 2, 3]))
    let next = try await lab.started()
    _ = try await next.resource(at: HTTPURL(url), .cached)
    try await next.waitUntilIdle()
    await next.stop()
    try await lab.checkLibrary()
  }

  @Test("Retrying everything goes on behind a record that somebody removes meanwhile")
  func removedMeanwhile() async throws {
    let lab = try Lab()
    for list in ["a", "b", "c"] {
      lab.web.serve("http://h/\(list).png", FakeAnswer(status: 404))
      lab.serveList(["http://h/\(list).png"], at: "http://h/\(list).txt")
    }
    let engine = try await lab.started()
    var records: [RecordID] = []
    for list in ["a", "b", "c"] {
      records += try await engine.add(Lab.request("http://h/\(list).txt")).records
    }
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().failed == 3)
    for list in ["a", "c"] { lab.web.serve("http://h/\(list).png", .file(Lab.image(1))) }
    // The removal holds the turn of its record until it is gone.
    let second = records[1]
    async let left = engine.remove(second)
    try await engine.until {
      $0.verbs.isUnderWay(on: second) || $0.context.records.isRemoved(second)
    }
    #expect(try await engine.retry() == 2)
    #expect(try await left.isEmpty)
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 2)
    await engine.stop()
  }
}
