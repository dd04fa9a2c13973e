import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Single resources for callers: `resource(at:)` (RM1-RM3).
@Suite(.timeLimit(.minutes(60))) struct CallerTests {
  private static let url = Lab.url(1)

  private func ask(
    _ engine: Engine, _ url: String = url, _ policy: CachePolicy = .cached
  ) async throws -> CachedResource {
    try await engine.resource(at: HTTPURL(url), policy)
  }

  private func task(
    _ engine: Engine, _ url: String = url, _ policy: CachePolicy = .cached
  ) -> Task<CachedResource, any Error> {
    Task { try await ask(engine, url, policy) }
  }

  private func content(_ found: CachedResource) throws -> [UInt8] {
    try FileSystem.contents(of: found.path)
  }

  // MARK: - Many callers

  @Test("Ten callers share one request; nine cancel, and the tenth gets its data")
  func nineCancel() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Self.url, FakeAnswer.file(Lab.image(1)).held(by: gate, after: 20))
    let engine = try await lab.started()
    let tasks = (0..<10).map { _ in task(engine) }
    try await gate.untilWaiting()
    try await engine.untilCallers(10)
    for task in tasks.dropFirst() { task.cancel() }
    for task in tasks.dropFirst() {
      await #expect(throws: LibraryError(.interrupted, "")) { try await task.value }
    }
    gate.open()
    let found = try await tasks[0].value
    #expect(try content(found) == Lab.image(1))
    #expect(!found.isFromLibrary && found.file.format == .png)
    #expect(lab.web.requests.map(\.url) == [Self.url])
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "If all ten cancel after the request was sent, it continues, and an eleventh makes no request")
  func allCancelLate() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Self.url, FakeAnswer.file(Lab.image(1)).held(by: gate))
    let engine = try await lab.started()
    let tasks = (0..<10).map { _ in task(engine) }
    try await gate.untilWaiting()
    try await engine.untilCallers(10)
    for task in tasks { task.cancel() }
    for task in tasks { _ = try? await task.value }
    gate.open()
    try await engine.waitUntilIdle()
    let found = try await ask(engine)
    #expect(found.isFromLibrary && lab.web.requests.count == 1)
    #expect(try content(found) == Lab.image(1))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("If all cancel before the request is sent, there is no request, and nothing is left")
  func allCancelEarly() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(9), FakeAnswer.file(Lab.image(9)).held(by: gate))
    let engine = try await lab.started()
    let first = task(engine, Lab.url(9))
    try await gate.untilWaiting()
    let tasks = (0..<10).map { _ in task(engine) }
    try await engine.untilCallers(11)
    for task in tasks { task.cancel() }
    for task in tasks { _ = try? await task.value }
    gate.open()
    _ = try await first.value
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.map(\.url) == [Lab.url(9)])
    let standalone = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(standalone).map(\.url) == [Lab.url(9)])
    // A later caller is not affected.
    #expect(try content(try await ask(engine)) == Lab.image(1))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A caller whose task is already cancelled makes no request")
  func cancelledBeforehand() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(9), FakeAnswer.file(Lab.image(9)).held(by: gate))
    let engine = try await lab.started()
    let first = task(engine, Lab.url(9))
    try await gate.untilWaiting()
    let started = Gate()
    let late = Task {
      try? await started.pass()
      return try await ask(engine)
    }
    late.cancel()
    started.open()
    await #expect(throws: LibraryError(.interrupted, "")) { try await late.value }
    gate.open()
    _ = try await first.value
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.map(\.url) == [Lab.url(9)])
    try await lab.checkLibrary()
  }

  @Test("A failure is reported to every caller, and leaves nothing")
  func failure() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    let gate = Gate()
    lab.web.serve(
      Self.url, FakeAnswer(status: 404).held(by: gate), .file(Lab.image(1)))
    let engine = try await lab.started()
    let tasks = (0..<3).map { _ in task(engine) }
    try await gate.untilWaiting()
    try await engine.untilCallers(3)
    gate.open()
    for task in tasks {
      await #expect(throws: LibraryError(.source, "\(Self.url): HTTP 404 Not Found")) {
        try await task.value
      }
    }
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.count == 1)
    let standalone = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(standalone).isEmpty)
    #expect(try content(try await ask(engine)) == Lab.image(1))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A temporary failure is retried for a caller, too")
  func retries() async throws {
    let lab = try Lab()
    lab.web.serve(Self.url, FakeAnswer(status: 503), .file(Lab.image(1)))
    let engine = try await lab.started()
    #expect(try content(try await ask(engine)) == Lab.image(1))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(engine.snapshot().total == 0)
    try await lab.checkLibrary()
  }

  // MARK: - Callers and records

  @Test("A caller joins the transfer of a record, and its cancellation does not stop the transfer")
  func joinsRecord() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Self.url, FakeAnswer.file(Lab.image(1)).held(by: gate, after: 20))
    lab.serveList([Self.url], at: "http://192.168.1.1/list.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request("http://192.168.1.1/list.txt"))
    try await gate.untilWaiting()
    let leaving = task(engine)
    let staying = task(engine)
    try await engine.untilCallers(2)
    leaving.cancel()
    _ = try? await leaving.value
    gate.open()
    #expect(try content(try await staying.value) == Lab.image(1))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Self.url).count == 1)
    #expect(try await lab.disk.totals().finished == 1)
    try await lab.checkLibrary()
  }

  @Test(
    "A caller that cancels while a record waits for the same URL is forgotten; the next one is served"
  )
  func leavesWaitingRecord() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(9), FakeAnswer.file(Lab.image(9)).held(by: gate))
    lab.serveList([Lab.url(9), Self.url], at: "http://192.168.1.1/list.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request("http://192.168.1.1/list.txt"))
    try await gate.untilWaiting()
    let leaving = task(engine)
    try await engine.untilCallers(1)
    leaving.cancel()
    _ = try? await leaving.value
    gate.open()
    try await engine.waitUntilIdle()
    #expect(try await ask(engine).isFromLibrary)
    await engine.stop()
    #expect(lab.web.requests(for: Self.url).count == 1)
    try await lab.checkLibrary()
  }

  @Test(
    "The file of a record is available to callers, and the file of a caller is linked for a record")
  func shared() async throws {
    let lab = try Lab()
    for number in 1...2 {
      lab.web.serve(
        Lab.url(number),
        FakeAnswer.file(Lab.image(number)).with("Cache-Control", "max-age=3600"))
    }
    lab.serveImages(1...2, at: "http://192.168.1.1/list.txt")
    let engine = try await lab.started()
    let caller = try await ask(engine, Lab.url(2))
    _ = try await engine.add(Lab.request("http://192.168.1.1/list.txt"))
    try await engine.waitUntilIdle()
    #expect(try await ask(engine, Lab.url(1)).isFromLibrary)
    await engine.stop()
    #expect(lab.web.requests.count == 3)
    let record = try #require(try await lab.records().first)
    let inode = try FileSystem.status(caller.path).inode
    #expect(try await lab.inodes(record).last == inode)
    try await lab.checkLibrary()
  }

  @Test("A caller precedes the queue of downloads")
  func priority() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(10), FakeAnswer.file(Lab.image(10)).held(by: gate))
    lab.serveImages(10...20)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    let caller = task(engine)
    try await engine.untilCallers(1)
    gate.open()
    _ = try await caller.value
    try await engine.waitUntilIdle()
    await engine.stop()
    let order = lab.web.requests.map(\.url)
    #expect(order[1...2] == [Lab.url(10), Self.url])
  }

  @Test("A cached file that was deleted is downloaded again")
  func deleted() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let first = try await ask(engine)
    try FileSystem.remove(first.path)
    let second = try await ask(engine)
    #expect(!second.isFromLibrary)
    #expect(try content(second) == Lab.image(1))
    #expect(lab.web.requests.map(\.isPlain) == [true, true])
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  // MARK: - Across runs, and around verbs

  @Test("A later run finds the files that an earlier one cached, and makes no request")
  func nextRun() async throws {
    let lab = try Lab()
    let first = try await lab.started()
    let path = try await ask(first).path
    try await first.waitUntilIdle()
    await first.stop()
    lab.newProcess()
    // Not even started: nothing has to be fetched.
    let next = try await lab.open()
    let found = try await ask(next)
    #expect(found.isFromLibrary && found.path == path && lab.web.requests.isEmpty)
    await #expect(throws: LibraryError(.interrupted, "the engine is not running")) {
      try await ask(next, Lab.url(2))
    }
    await next.stop()
    try await lab.checkLibrary()
  }

  @Test("A request that no caller waits for after a crash is forgotten")
  func afterCrash() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Self.url, FakeAnswer.file(Lab.image(1)).held(by: gate))
    let engine = try await lab.started()
    let caller = task(engine)
    try await gate.untilWaiting()
    lab.store.die()
    await engine.stop()
    _ = try? await caller.value
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    let standalone = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(standalone).isEmpty)
    #expect(lab.web.requests.isEmpty)
    await next.stop()
    try await lab.checkLibrary()
  }

  @Test("Callers get an error if the engine stops or the library is reset")
  func stopped() async throws {
    for isReset in [true, false] {
      let lab = try Lab()
      let gate = Gate()
      lab.web.serve(Self.url, FakeAnswer.file(Lab.image(1)).held(by: gate))
      let engine = try await lab.started()
      let caller = task(engine)
      try await gate.untilWaiting()
      try await engine.untilCallers(1)
      if isReset { try await engine.reset() } else { await engine.stop() }
      let expected = isReset ? "the library was reset" : ""
      await #expect(throws: LibraryError(.interrupted, expected)) { try await caller.value }
      if isReset {
        gate.open()
        #expect(try content(try await ask(engine)) == Lab.image(1))
        try await engine.waitUntilIdle()
        await engine.stop()
      }
      lab.newProcess()
      await (try lab.open()).stop()
      try await lab.checkLibrary()
    }
  }

  @Test("A caller of a paused library gets an error, unless the file is stored")
  func paused() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(2), FakeAnswer.file(Lab.image(2)).held(by: gate))
    lab.serveImages(2...2)
    let engine = try await lab.started()
    _ = try await ask(engine)
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    #expect(try await engine.pause(nil) == 1)
    #expect(try await ask(engine).isFromLibrary)
    await #expect(throws: LibraryError(.policy, "the library is paused")) {
      try await ask(engine, Lab.url(3))
    }
    gate.open()
    try await engine.resume(nil)
    #expect(try content(try await ask(engine, Lab.url(3))) == Lab.image(3))
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Bytes are read through the cache in memory")
  func memory() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let url = try HTTPURL(Self.url)
    #expect(try await engine.data(at: url) == Lab.image(1))
    #expect(try await engine.data(at: url) == Lab.image(1))
    #expect(await engine.run { $0.cache.memory.statistics.hits } == 1)
    #expect(lab.web.requests.count == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("A file that cannot be shown is kept, too; a file that differs from the promise is refused")
  func anyContent() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/notes", FakeAnswer(body: Array("hello".utf8)))
    lab.web.serve("http://h/a.png", FakeAnswer(body: Array("<!DOCTYPE html>".utf8)))
    let engine = try await lab.started()
    let notes = try await ask(engine, "http://h/notes")
    #expect(try content(notes) == Array("hello".utf8) && notes.file.format == .text)
    let refused = LibraryError(.source, "http://h/a.png: the server sent a web page")
    await #expect(throws: refused) { try await ask(engine, "http://h/a.png") }
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }
}
