import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Failures that pass, failures that stay, silence that servers ask for, and disks that are full.
@Suite(.timeLimit(.minutes(60))) struct RetryingTests {
  private func run(_ lab: Lab, _ url: String = Lab.url(1)) async throws -> Resource {
    lab.serveList([url])
    try await lab.run()
    try await lab.checkLibrary()
    return try #require(try await lab.allResources().first)
  }

  @Test("A temporary failure is retried until it succeeds", arguments: [408, 425, 429, 500, 503])
  func passing(status: Int) async throws {
    let lab = try Lab()
    lab.web.serve(
      Lab.url(1), FakeAnswer(status: status), FakeAnswer(status: status), .file(Lab.image(1)))
    #expect(try await run(lab).state == .finished)
    #expect(lab.web.requests(for: Lab.url(1)).count == 3)
  }

  @Test("A failure that persists is final after the retries, with its reason")
  func givesUp() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 3
    lab.web.serve(Lab.url(1), .failure(.connectionRefused))
    let resource = try await run(lab)
    #expect(resource.state == .failed)
    #expect(resource.reason == "connectionRefused, as written down")
    #expect(lab.web.requests(for: Lab.url(1)).count == 4)
  }

  @Test("A permanent failure is not retried", arguments: [400, 401, 403, 404, 410, 451, 304])
  func permanent(status: Int) async throws {
    let lab = try Lab()
    lab.web.serve(Lab.url(1), FakeAnswer(status: status))
    #expect(try await run(lab).reason?.hasPrefix("HTTP \(status)") == true)
    #expect(lab.web.requests(for: Lab.url(1)).count == 1)
  }

  @Test("The maximum wait of each retry increases up to the ceiling, and is reported")
  func waits() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 6
    lab.settings.network.retryDelay = 1
    lab.settings.network.retryCeiling = 10
    lab.web.serve(Lab.url(1), FakeAnswer(status: 500))
    lab.serveList([Lab.url(1)])
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    await engine.stop()
    try await events.until { if case .failed = $0 { true } else { false } }
    let waits = events.kinds.compactMap { kind in
      if case .retrying(_, _, "HTTP 500 Internal Server Error", let wait) = kind { return wait }
      return nil
    }
    #expect(waits.count == 6)
    for (wait, most) in zip(waits, [1.0, 2, 4, 8, 10, 10]) { #expect((0...most).contains(wait)) }
  }

  @Test("An interrupted transfer continues by range within the same run")
  func resumesWithin() async throws {
    let lab = try Lab()
    let bytes = Lab.image(1)
    lab.web.serve(
      Lab.url(1), FakeAnswer.file(bytes).cut(after: 30), .failure(.connectionRefused),
      FakeAnswer.file(bytes).cut(after: 20), .file(bytes))
    #expect(try await run(lab).state == .finished)
    #expect(
      lab.web.requests(for: Lab.url(1)).map(\.range) == [
        nil, "bytes=30-", "bytes=30-", "bytes=50-",
      ])
  }

  /// A file that does not repeat, as long as the one in which closing servers were met first.
  private static let longFile: [UInt8] = {
    var random = SeededGenerator(seed: 11)
    return [0x25, 0x50, 0x44, 0x46, 0x2d] + random.bytes(349_000)
  }()

  private static let longURL = "http://h/long.pdf"

  @Test(
    "A server that closes every 30 kB but serves ranges is requested until the file is complete")
  func progress() async throws {
    let lab = try Lab()
    let bytes = Self.longFile
    lab.web.serve(Self.longURL, FakeAnswer.file(bytes).cut(after: 30_000))
    let resource = try await run(lab, Self.longURL)
    #expect(resource.file?.byteCount == Int64(bytes.count))
    let ranges = lab.web.requests(for: Self.longURL).map(\.range)
    // Each request goes on where the one before ended; the last one learns that nothing is left.
    #expect(ranges == [nil] + (1...11).map { "bytes=\($0 * 30_000)-" } + ["bytes=349005-"])
  }

  @Test("A server that sends a byte per connection is abandoned after the retries")
  func crumbs() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 4
    lab.web.serve(Self.longURL, FakeAnswer.file(Self.longFile).cut(after: 1))
    #expect(try await run(lab, Self.longURL).state == .failed)
    #expect(lab.web.requests(for: Self.longURL).count == 5)
  }

  @Test("Bytes of a file that cannot be continued do not count as progress")
  func noProgress() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 2
    lab.web.serve(Self.longURL, FakeAnswer.file(Self.longFile, tag: nil).cut(after: 100_000))
    #expect(try await run(lab, Self.longURL).state == .failed)
    #expect(lab.web.requests(for: Self.longURL).map(\.range) == [nil, nil, nil])
  }

  @Test("A server that does not respond is requested three times, one that is too slow once")
  func silence() async throws {
    for (code, count) in [(TransportError.Code.idleTimeout, 3), (.lowSpeed, 1)] {
      let lab = try Lab()
      lab.web.serve(Lab.url(1), .failure(code))
      #expect(try await run(lab).state == .failed)
      #expect(lab.web.requests(for: Lab.url(1)).count == count)
    }
  }

  @Test("A Retry-After delays its host, and no other")
  func retryAfter() async throws {
    let clock = ManualClock()
    let lab = try Lab(clock: clock)
    lab.settings.network.maxConcurrentDownloads = 1
    lab.web.serve(
      Lab.url(1, host: "busy"), FakeAnswer(status: 429).with("Retry-After", "30"),
      .file(Lab.image(1)))
    lab.serveList(
      [Lab.url(1, host: "busy"), Lab.url(2, host: "busy"), Lab.url(3), Lab.url(4)])
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    // The other host's are done while the busy one is left alone.
    try await lab.untilCommitted { $0.finished == 2 }
    #expect(lab.web.requests.filter { $0.url.contains("busy") }.count == 1)
    try await events.until(
      .hostWaits(host: "http://busy", seconds: 30, reason: "HTTP 429 Too Many Requests"))
    clock.advance(by: 29)
    try await clock.untilSomeoneSleeps(for: 1)
    #expect(lab.web.requests.filter { $0.url.contains("busy") }.count == 1)
    // One that has asked for less gets its requests apart.
    clock.run()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 4)
  }

  @Test("A Retry-After is observed also after the resource that received it has failed")
  func retryAfterGivenUp() async throws {
    let clock = ManualClock()
    let lab = try Lab(clock: clock)
    lab.settings.network.maxConcurrentDownloads = 1
    lab.settings.network.retries = 0
    lab.web.serve(Lab.url(1), FakeAnswer(status: 503).with("Retry-After", "5"))
    lab.serveImages(1...2)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await clock.untilSomeoneSleeps(for: 5)
    #expect(lab.web.requests.count == 2)
    clock.advance(by: 5)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 1)
  }

  @Test(
    "No Retry-After is longer than the ceiling", arguments: ["100000000000000000000", "999999"])
  func retryAfterCeiling(value: String) async throws {
    let lab = try Lab()
    lab.settings.network.retryCeiling = 60
    lab.web.serve(
      Lab.url(1), FakeAnswer(status: 503).with("Retry-After", value), .file(Lab.image(1)))
    #expect(try await run(lab).state == .finished)
    #expect(lab.clock.now() <= 60)
  }

  @Test("Stopping does not mark resources as failed, for any error of the transport")
  func stoppingIsNoFailure() async throws {
    for code in [TransportError.Code.connectionLost, .helperDied, .system] {
      let lab = try Lab()
      lab.settings.network.retries = 0
      let gate = Gate()
      lab.web.serve(Lab.url(1), FakeAnswer.failure(code).held(by: gate))
      lab.serveImages(1...1)
      let engine = try await lab.open()
      _ = try await engine.add(Lab.request())
      try await engine.start()
      try await gate.untilWaiting()
      await engine.interrupt()
      gate.open()
      await engine.stop()
      #expect(try await lab.allResources().map(\.state) == [.queued], "\(code)")
    }
  }

  @Test("A transfer that the transport cancels by itself is retried")
  func spontaneousCancel() async throws {
    let lab = try Lab()
    lab.web.serve(Lab.url(1), .failure(.cancelled), .file(Lab.image(1)))
    #expect(try await run(lab).state == .finished)
  }

  // MARK: - What ends the run

  @Test("A full database stops the engine with its code and keeps finished resources")
  func databaseFull() async throws {
    let lab = try Lab()
    lab.serveImages(1...300)
    let engine = try await lab.open { name, _, number in
      name == "apply" && number > 6 ? .fail(StoreError(.diskFull, "the disk is full")) : .pass
    }
    try await engine.start()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    let error = await #expect(throws: LibraryError.self) { try await engine.waitUntilIdle() }
    #expect(error?.code == .diskFull && error?.detail.hasPrefix("the disk is full (") == true)
    #expect(error?.detail.hasSuffix(" needed)") == true && error?.neededBytes ?? 0 > 0)
    await engine.stop()
    try await events.until { if case .stopped(let told) = $0 { told == error } else { false } }
    let done = try await lab.allResources().filter { $0.state.isSettled || $0.state == .fetched }
    try await lab.checkLibrary(isIdle: false)
    #expect(try await lab.disk.totals().failed == 0)
    lab.newProcess()
    lab.serveImages(1...300)
    #expect(try await lab.run().outcome == .continued)
    #expect(Set(done.map(\.url)).isDisjoint(with: lab.web.requests.map(\.url)))
    #expect(try await lab.disk.totals().finished == 300)
    try await lab.checkLibrary()
  }

  @Test(
    "A file in place of a record's folder fails its resources, and a retry stores them later"
  )
  func folderFails() async throws {
    let lab = try Lab()
    lab.serveImages(1...20)
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request())
    _ = try lab.folder.write("list", [1])
    try await engine.start()
    try await engine.waitUntilIdle()
    #expect(
      try await lab.allResources().allSatisfy {
        $0.state == .failed && $0.reason?.contains("\(lab.folder.path)/list") == true
      })
    try FileSystem.remove(lab.folder.path + "/list")
    #expect(try await engine.retry() == 20)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 20)
    try await lab.checkLibrary()
  }

  @Test("A missing incoming folder stops the engine and fails no resource")
  func incomingGone() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request())
    try FileSystem.removeTree(lab.layout.incoming)
    try await engine.start()
    do throws(LibraryError) {
      try await engine.waitUntilIdle()
      Issue.record("it should have stopped")
    } catch {
      #expect(error.code == .io)
    }
    await engine.stop()
    #expect(try await lab.disk.totals().queued == 3)
  }

  @Test("A store that fails to answer stops the engine, and no call waits for ever")
  func queueUnreadable() async throws {
    let lab = try Lab()
    lab.serveImages(1...3)
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request())
    try await engine.start()
    lab.store.die()
    _ = try? await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("Waiting calls return when the engine stops, or their own task is cancelled")
  func waiters() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate))
    lab.serveImages(1...1)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    let interrupted = LibraryError(.interrupted, "")
    let cancelled = Task { try await engine.waitUntilIdle() }
    cancelled.cancel()
    await #expect(throws: interrupted) { try await cancelled.value }
    let waiting = Task { try await engine.waitUntilIdle() }
    await engine.stop()
    await #expect(throws: interrupted) { try await waiting.value }
    await #expect(throws: interrupted) { try await engine.waitUntilIdle() }
    await engine.stop()
  }
}
