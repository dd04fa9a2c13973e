import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// A library, a server with random faults, and users who call random verbs.
struct Storm {
  private let seed: UInt64
  var random: SeededGenerator
  private let lab: Lab
  private var engine: Engine?
  /// The pictures of each list; some are in several.
  private let lists: [[Int]]
  private let moods: UInt64

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = Int.random(in: 1...6, using: &random)
    lab.settings.network.maxPerHost = Int.random(in: 1...4, using: &random)
    lab.settings.cache.count = Int.random(in: 3...200, using: &random)
    lab.settings.rendering.thumbnails = Bool.random(using: &random)
    lists = Self.lists(&random)
    moods = random.next()
    serve()
  }

  private static func lists(_ random: inout SeededGenerator) -> [[Int]] {
    (0..<4).map { _ in
      (0..<Int.random(in: 1...15, using: &random)).map { _ in Int.random(in: 1...30, using: &random)
      }
    }
  }

  // MARK: - The web

  private static func url(_ number: Int) -> String {
    Lab.url(number, host: number % 2 == 0 ? "h" : "g")
  }

  private static func list(_ number: Int) -> String { "http://h/\(number).txt" }

  private func serve() {
    for (index, numbers) in lists.enumerated() {
      lab.serveList(numbers.map { Self.url($0) }, at: Self.list(index))
    }
    for number in 1...30 {
      var random = SeededGenerator(seed: moods &+ UInt64(number))
      let answers = (0..<3).map { _ in Self.answer(number, &random) }
      // In the end it works, so that a round ends.
      let last = Self.whole(number, &random)
      lab.web.serve(Self.url(number), answers[0], answers[1], answers[2], last)
    }
  }

  private static func whole(_ number: Int, _ random: inout SeededGenerator) -> FakeAnswer {
    let tag: String? = number % 5 == 0 ? nil : "\"v1\""
    let file = FakeAnswer.file(Lab.image(number), tag: tag)
    return number % 3 == 0 ? file.with("Cache-Control", "max-age=600") : file
  }

  private static func answer(_ number: Int, _ random: inout SeededGenerator) -> FakeAnswer {
    let whole = whole(number, &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return FakeAnswer(status: 503)
    case 1: return FakeAnswer(status: 429).with("Retry-After", "2")
    case 2: return whole.cut(after: Int.random(in: 0...100, using: &random))
    case 3: return .failure(.connectionLost)
    case 4: return whole.with("ETag", "\"other\"").cut(after: 40)
    case 5: return FakeAnswer(status: 404)
    case 6: return .failure(.connectionRefused)
    default: return whole
    }
  }

  // MARK: - The users

  /// Some users at once, each with some ideas.
  mutating func blow(users: Int) async throws {
    let engine = try await current()
    let seeds = (0..<users).map { _ in random.next() }
    await withTaskGroup(of: Void.self) { group in
      for seed in seeds {
        let user = User(engine: engine, store: lab.disk)
        group.addTask { await user.act(seed) }
      }
    }
  }

  private mutating func current() async throws -> Engine {
    if let engine { return engine }
    let new = try await lab.started()
    // What many do at once comes between the parts of a batch.
    if Bool.random(using: &random) { await new.writeParts(of: 1) }
    engine = new
    return new
  }

  /// The program ends, well or not, and begins anew.
  mutating func restart() async throws {
    guard let engine else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: await engine.interrupt()
    case 1: lab.store.die()
    default: break
    }
    await engine.stop()
    self.engine = nil
    lab.newProcess()
    serve()
  }

  /// Everything that can end does, and the books are right.
  mutating func end() async throws {
    let what: Comment = "seed \(seed)"
    let engine = try await current()
    _ = try await engine.resume(nil)
    try await engine.waitUntilIdle()
    let failure = await engine.run { $0.lifecycle.failure }
    #expect(failure == nil, what)
    let progress = engine.snapshot()
    #expect(progress.active.isEmpty, what)
    for record in try await lab.records() where !record.isLazy {
      #expect(record.counts.settled == record.counts.total, "\(what), \(record.counts)")
    }
    for record in progress.records {
      let row = try #require(try await lab.disk.record(record.id), what)
      #expect(record.finished == row.counts.finished, what)
      #expect(record.failed == row.counts.failed, what)
    }
    let leaks = await engine.run { $0.leaks }
    #expect(leaks.allSatisfy { $0 == 0 }, "\(what), \(leaks)")
    await engine.stop()
    try await lab.checkLibrary()
  }
}

extension Stages {
  /// How much is still at work or waited for; all 0 when the engine is idle.
  fileprivate var leaks: [Int] {
    [
      transfers.running.count, context.standalone.waiterCount, context.standalone.requestedCount,
      transfers.scheduler.commitPending.count, lifecycle.partCount,
    ]
  }
}

/// One who does one thing after the other, by seed.
private struct User: Sendable {
  let engine: Engine
  let store: any LibraryReader

  func act(_ seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let viewer = ViewerID(seed)
    for _ in 0..<Int.random(in: 3...10, using: &random) {
      for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
      // Many things cannot be done at a moment; that is no failure of the engine.
      try? await doSomething(&random, viewer)
    }
    await engine.clearVisibleRange(of: nil, for: viewer)
  }

  private func record(_ random: inout SeededGenerator) async throws -> RecordID {
    let records = try await store.records(offset: 0, limit: 50)
    return records.randomElement(using: &random)?.id ?? RecordID(1)
  }

  private func doSomething(_ random: inout SeededGenerator, _ viewer: ViewerID) async throws {
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<8:
      let list = Int.random(in: 0..<4, using: &random)
      let (again, isLazy) = (Int.random(in: 0..<4, using: &random) == 0, list == 3)
      _ = try await engine.add(
        Lab.request("http://h/\(list).txt", again: again, isLazy: isLazy))
    case 8..<11: try await engine.pause(Bool.random(using: &random) ? nil : record(&random))
    case 11..<14: try await engine.resume(Bool.random(using: &random) ? nil : record(&random))
    case 14..<16: try await engine.cancel(record(&random))
    case 16..<18: try await engine.reload(record(&random))
    case 18..<20: try await engine.retry(Bool.random(using: &random) ? nil : record(&random))
    case 20..<22: try await engine.remove(record(&random))
    case 22: try await engine.reset()
    case 23: try await engine.setConcurrency(Int.random(in: 0...5, using: &random))
    case 24: try await engine.setPerHost(Int.random(in: 0...5, using: &random))
    case 25:
      let priority = RecordPriority.allCases.randomElement(using: &random) ?? .normal
      try await engine.setPriority(priority, of: record(&random))
    case 26..<29:
      let start = Int.random(in: 0..<10, using: &random)
      await engine.setVisibleRange(start..<start + 4, of: try await record(&random), for: viewer)
    case 29: await engine.clearVisibleRange(of: nil, for: viewer)
    case 30: _ = try await engine.refresh(record(&random))
    case 31..<36: try await call(&random)
    case 36: _ = await engine.status()
    default: try await waitAWhile(&random)
    }
  }

  private func call(_ random: inout SeededGenerator) async throws {
    let number = Int.random(in: 1...30, using: &random)
    let url = try HTTPURL(Lab.url(number, host: number % 2 == 0 ? "h" : "g"))
    let policy = CachePolicy.allCases.randomElement(using: &random) ?? .cached
    let engine = engine
    let task = Task { try await engine.resource(at: url, policy) }
    // In a paused library the call waits.
    for _ in 0..<[0, 20, 400][Int.random(in: 0..<3, using: &random)] { await Task.yield() }
    task.cancel()
    _ = try await task.value
  }

  /// Not until the end: somebody else may have paused.
  private func waitAWhile(_ random: inout SeededGenerator) async throws {
    let engine = engine
    let waiting = Task { try await engine.waitUntilIdle() }
    for _ in 0..<Int.random(in: 0..<60, using: &random) { await Task.yield() }
    waiting.cancel()
    _ = try await waiting.value
  }
}
