import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Lazy records, and what viewers look at (LZ1, LZ2).
@Suite(.timeLimit(.minutes(60))) struct LazyTests {
  private let viewer = ViewerID(1)

  private func asked(_ lab: Lab) -> [Int] {
    lab.web.requests.compactMap {
      $0.url.contains("/p/") ? Int($0.url.dropFirst(11).dropLast(4)) : nil
    }
  }

  /// A lazy record of so many pictures, in an engine at work.
  private func record(_ lab: Lab, _ engine: Engine, _ count: Int = 100) async throws -> RecordID {
    lab.serveImages(1...count)
    return try await engine.add(Lab.request(isLazy: true)).records[0]
  }

  private func hold(_ lab: Lab, _ number: Int) -> Gate {
    let gate = Gate()
    lab.web.serve(
      Lab.url(number), FakeAnswer.file(Lab.image(number)).held(by: gate),
      .file(Lab.image(number)))
    return gate
  }

  @Test("Nothing is downloaded before it is viewed, and no work is left")
  func notViewed() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    try await engine.waitUntilIdle()
    #expect(asked(lab).isEmpty)
    #expect(try await lab.disk.record(id)?.counts.queued == 100)
    #expect(try await lab.records().first?.isLazy == true)
    await engine.stop()
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(asked(lab).isEmpty)
  }

  @Test("Only viewed resources are downloaded")
  func look() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(40..<50, of: id, for: viewer)
    try await lab.untilCommitted { $0.finished == 10 }
    try await engine.waitUntilIdle()
    #expect(asked(lab).sorted() == Array(41...50))
    // Beyond the end there is nothing.
    await engine.setVisibleRange(98..<5_000, of: id, for: viewer)
    try await lab.untilCommitted { $0.finished == 12 }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab).sorted() == Array(41...50) + [99, 100])
    try await lab.checkLibrary()
  }

  @Test("Resources that are only scrolled past are not downloaded: the view has to rest")
  func scrolledPast() async throws {
    let clock = ManualClock()
    let lab = try Lab(clock: clock)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    for step in 0..<8 {
      await engine.setVisibleRange(step * 10..<step * 10 + 5, of: id, for: viewer)
      try await clock.untilSomeoneSleeps()
      clock.advance(by: 0.03)
    }
    #expect(asked(lab).isEmpty)
    try await clock.untilSomeoneSleeps()
    clock.advance(by: 1)
    try await lab.untilCommitted { $0.finished == 5 }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab).sorted() == Array(71...75))
    try await lab.checkLibrary()
  }

  @Test(
    "A resource that leaves the view before its transfer begins is dropped; a begun transfer is kept"
  )
  func lookAway() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = hold(lab, 11)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(10..<15, of: id, for: viewer)
    try await gate.untilWaiting()
    try await engine.untilWaiting(4)
    await engine.clearVisibleRange(of: id, for: viewer)
    #expect(await engine.status().waiting == 0)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab) == [11])
    #expect(try await lab.disk.totals().finished == 1)
    try await lab.checkLibrary()
  }

  @Test("Scrolling drops the resources that leave the view, and keeps the others")
  func movesOn() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = hold(lab, 1)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(0..<10, of: id, for: viewer)
    try await gate.untilWaiting()
    try await engine.untilWaiting(9)
    await engine.setVisibleRange(8..<18, of: id, for: viewer)
    try await engine.untilWaiting(10)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab) == [1] + Array(9...18))
    try await lab.checkLibrary()
  }

  @Test("A resource in two views stays wanted when one of them closes")
  func twoViewers() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = hold(lab, 1)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(0..<5, of: id, for: viewer)
    await engine.setVisibleRange(3..<8, of: id, for: ViewerID(2))
    try await gate.untilWaiting()
    try await engine.untilWaiting(7)
    await engine.clearVisibleRange(of: nil, for: viewer)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab) == [1] + Array(4...8))
  }

  @Test("In an ordinary record, viewed resources are downloaded first")
  func visibleFirst() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = hold(lab, 1)
    lab.serveImages(1...60)
    let engine = try await lab.started()
    let id = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    await engine.setVisibleRange(40..<45, of: id, for: viewer)
    try await engine.until {
      $0.transfers.scheduler.window.jobs.reduce(0) { $0 + ($1.precedence == .visible ? 1 : 0) } == 5
    }
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab) == [1] + Array(41...45) + Array(2...40) + Array(46...60))
    try await lab.checkLibrary()
  }

  @Test("Resources beside the view are downloaded after it, if the settings say so")
  func prefetch() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    lab.settings.lazy.prefetch = 2
    let gate = hold(lab, 1)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(0..<1, of: id, for: ViewerID(2))
    try await gate.untilWaiting()
    await engine.setVisibleRange(50..<53, of: id, for: viewer)
    try await engine.untilWaiting(9)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab) == [1] + [51, 52, 53] + [2, 3] + [49, 50, 54, 55])
  }

  @Test("A resource that a lazy record shares with another record is one request, and is linked")
  func shared() async throws {
    let lab = try Lab()
    lab.serveImages(5...6, at: "http://h/other.txt")
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    _ = try await engine.add(Lab.request("http://h/other.txt"))
    try await engine.waitUntilIdle()
    #expect(asked(lab).sorted() == [5, 6])
    await engine.setVisibleRange(4..<6, of: id, for: viewer)
    try await lab.untilCommitted { $0.finished == 4 }
    try await engine.waitUntilIdle()
    await engine.stop()
    // They were there when the other ones were asked for.
    #expect(asked(lab).count == 2)
    try await lab.checkLibrary()
  }

  // MARK: - Verbs while somebody looks

  @Test("The visible resources are downloaded after a pause, even without scrolling")
  func pauseAndResume() async throws {
    let lab = try Lab()
    let gate = hold(lab, 1)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(0..<3, of: id, for: viewer)
    try await gate.untilWaiting()
    try await engine.pause(id)
    gate.open()
    try await engine.resume(id)
    try await lab.untilCommitted { $0.finished == 3 }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(Set(asked(lab)) == [1, 2, 3])
    try await lab.checkLibrary()
  }

  @Test("Retry and reload download the resources that had ended, visible or not, and no others")
  func retryAndReload() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.web.serve(Lab.url(2), FakeAnswer(status: 404), .file(Lab.image(2)))
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(0..<3, of: id, for: viewer)
    try await lab.untilCommitted { $0.settled == 3 }
    try await engine.waitUntilIdle()
    #expect(try await engine.retry(id) == 1)
    try await lab.untilCommitted { $0.finished == 3 }
    try await engine.waitUntilIdle()
    lab.web.forgetRequests()
    await engine.setVisibleRange(0..<2, of: id, for: viewer)
    #expect(try await engine.reload(id) == 100)
    try await engine.waitUntilIdle()
    #expect(asked(lab).sorted() == [1, 2, 3])
    #expect(lab.web.requests.filter { $0.url.contains("/p/") }.allSatisfy { $0.isPlain })
    let counts = try #require(try await lab.disk.record(id)?.counts)
    #expect(counts.finished == 3 && counts.queued == 97)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Resources that become visible because the list grows are downloaded")
  func grows() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let id = try await record(lab, engine, 3)
    await engine.setVisibleRange(0..<10, of: id, for: viewer)
    try await lab.untilCommitted { $0.finished == 3 }
    lab.serveList([Lab.url(9)] + (1...3).map { Lab.url($0) })
    #expect(try await engine.refresh(id).newEntries == 1)
    try await lab.untilCommitted { $0.finished == 4 }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab).sorted() == [1, 2, 3, 9])
    try await lab.checkLibrary()
  }

  @Test("Views of a removed record, and of a reset library, download nothing")
  func removed() async throws {
    let lab = try Lab()
    let gate = hold(lab, 1)
    let engine = try await lab.started()
    let id = try await record(lab, engine)
    await engine.setVisibleRange(0..<5, of: id, for: viewer)
    try await gate.untilWaiting()
    try await engine.remove(id)
    await engine.setVisibleRange(0..<5, of: id, for: viewer)
    try await engine.waitUntilIdle()
    let other = try await record(lab, engine)
    await engine.setVisibleRange(7..<9, of: other, for: viewer)
    try await engine.reset()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().isEmpty && lab.incomingFiles.isEmpty)
    try await lab.checkLibrary()
  }

  @Test("A view that opens before the engine runs is served when it runs")
  func beforeStart() async throws {
    let lab = try Lab()
    let first = try await lab.started()
    let id = try await record(lab, first)
    await first.stop()
    lab.newProcess()
    let engine = try await lab.open()
    await engine.setVisibleRange(3..<5, of: id, for: viewer)
    try await engine.start()
    try await lab.untilCommitted { $0.finished == 2 }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(asked(lab).sorted() == [4, 5])
  }

  @Test(
    "Random views download nothing twice and lose nothing", arguments: 0..<6)
  func random(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.settings.network.maxConcurrentDownloads = 3
    for number in stride(from: 3, through: 60, by: 7) {
      lab.web.serve(Lab.url(number), FakeAnswer(status: 404))
    }
    let engine = try await lab.started()
    let id = try await record(lab, engine, 60)
    for _ in 0..<60 {
      let start = Int.random(in: 0..<60, using: &random)
      let viewer = ViewerID(UInt64.random(in: 0..<3, using: &random))
      if Int.random(in: 0..<4, using: &random) == 0 {
        await engine.clearVisibleRange(of: id, for: viewer)
      } else {
        await engine.setVisibleRange(start..<start + 6, of: id, for: viewer)
      }
      for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
    }
    for viewer in 1..<3 { await engine.clearVisibleRange(of: id, for: ViewerID(UInt64(viewer))) }
    await engine.setVisibleRange(0..<60, of: id, for: ViewerID(0))
    try await lab.untilCommitted { $0.settled == 60 }
    try await engine.waitUntilIdle()
    let counts = try #require(try await lab.disk.record(id)?.counts)
    #expect(engine.snapshot().finished == counts.finished)
    #expect(engine.snapshot().failed == counts.failed)
    await engine.stop()
    #expect(asked(lab).count == 60 && Set(asked(lab)).count == 60)
    try await lab.checkLibrary()
  }
}
