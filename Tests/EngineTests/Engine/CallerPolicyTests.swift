import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// What may answer a caller: the three policies of `resource(at:)`.
@Suite(.timeLimit(.minutes(60))) struct CallerPolicyTests {
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

  // MARK: - Policies

  @Test("Validated: a fresh file costs no request, another one a 304")
  func validated() async throws {
    let lab = try Lab()
    lab.web.serve(
      Self.url, .file(Lab.image(1)),
      FakeAnswer.file(Lab.image(1)).with("Cache-Control", "max-age=3600"))
    let engine = try await lab.started()
    let first = try await ask(engine)
    #expect(try await ask(engine, Self.url, .cached).isFromLibrary)
    let second = try await ask(engine, Self.url, .validated)
    #expect(second.path == first.path && second.file.digest == first.file.digest)
    #expect(lab.web.requests.map(\.ifNoneMatch) == [nil, "\"v1\""])
    // The 304 said that it may be used for an hour.
    #expect(try await ask(engine, Self.url, .validated).isFromLibrary)
    #expect(lab.web.requests.count == 2)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Validated: a changed file replaces the cached one")
  func changed() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a.png", .file(Lab.image(1)), .file(Lab.image(2), tag: "\"v2\""))
    let engine = try await lab.started()
    _ = try await ask(engine, "http://h/a.png")
    let found = try await ask(engine, "http://h/a.png", .validated)
    #expect(try content(found) == Lab.image(2) && !found.isFromLibrary)
    #expect(try content(try await ask(engine, "http://h/a.png")) == Lab.image(2))
    try await engine.waitUntilIdle()
    await engine.stop()
    let standalone = try #require(try await lab.disk.standaloneRecord())
    #expect(try await lab.resources(standalone).count == 1)
    try await lab.checkLibrary()
  }

  @Test("Validated: the file of a record is validated, and linked")
  func validatedOfRecord() async throws {
    let lab = try Lab()
    lab.serveImages(1...1, at: "http://192.168.1.1/list.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request("http://192.168.1.1/list.txt"))
    try await engine.waitUntilIdle()
    let found = try await ask(engine, Self.url, .validated)
    #expect(lab.web.requests(for: Self.url).map(\.isPlain) == [true, false])
    #expect(try FileSystem.status(found.path).linkCount == 2)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Reloaded: the request is unconditional, also with a cached file")
  func reloaded() async throws {
    let lab = try Lab()
    lab.web.serve(
      Self.url, FakeAnswer.file(Lab.image(1)).with("Cache-Control", "max-age=3600"))
    let engine = try await lab.started()
    let first = try await ask(engine)
    let inode = try FileSystem.status(first.path).inode
    let second = try await ask(engine, Self.url, .reloaded)
    #expect(lab.web.requests.map(\.isPlain) == [true, true])
    // Unchanged content stays the file that it was.
    #expect(second.path == first.path)
    #expect(try FileSystem.status(second.path).inode == inode)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Reloaded joins a request that waits with a weaker policy, and makes it unconditional")
  func reloadedJoins() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(9), FakeAnswer.file(Lab.image(9)).held(by: gate))
    lab.web.serve(Self.url, .file(Lab.image(1)))
    let engine = try await lab.started()
    _ = try await ask(engine)
    let busy = task(engine, Lab.url(9))
    try await gate.untilWaiting()
    let first = task(engine, Self.url, .validated)
    try await engine.untilCallers(2)
    let second = task(engine, Self.url, .reloaded)
    try await engine.untilCallers(3)
    gate.open()
    _ = try await busy.value
    #expect(try await first.value.path == second.value.path)
    #expect(lab.web.requests(for: Self.url).map(\.isPlain) == [true, true])
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Reloaded while the first response is being stored: neither damages the other")
  func reloadedAtOnce() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/a.bin", .file([1, 2, 3]), .file([4, 5, 6, 7], tag: "\"v2\""))
    let engine = try await lab.started()
    let first = task(engine, "http://h/a.bin")
    try await engine.until { $0.commits.queue.count > 0 && $0.commits.queue.isEmpty }
    let second = task(engine, "http://h/a.bin", .reloaded)
    _ = try await first.value
    _ = try await second.value
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A request during a reset waits for its end")
  func duringReset() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate))
    lab.web.serve(Lab.url(2), .file(Lab.image(2)))
    let engine = try await lab.started()
    let busy = task(engine, Lab.url(1))
    try await gate.untilWaiting()
    let reset = Task { try await engine.reset() }
    try await engine.until { $0.lifecycle.isStopping }
    let request = task(engine, Lab.url(2))
    _ = try await reset.value
    _ = try await request.value
    await #expect(throws: LibraryError(.interrupted, "the library was reset")) {
      _ = try await busy.value
    }
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("The record of standalone resources cannot be steered, even before the engine knows it")
  func standaloneIsNoRecord() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    // As a caller leaves it who has just begun: the row is there, the engine has not heard of it.
    let record = try lab.disk.write {
      try $0.standaloneRecord(folder: LibraryLayout.standaloneFolder).id
    }
    let refusal = LibraryError(.noSuchRecord, "there is no record \(record)")
    await #expect(throws: refusal) { try await engine.pause(record) }
    await #expect(throws: refusal) { try await engine.cancel(record) }
    await #expect(throws: refusal) { try await engine.reload(record) }
    await #expect(throws: refusal) { try await engine.retry(record) }
    await #expect(throws: refusal) { try await engine.remove(record) }
    await #expect(throws: refusal) { try await engine.setPriority(.high, of: record) }
    await engine.stop()
  }
}
