import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Plays a script on one store: no transfer goes on and no time passes but as the script says.
final class Interleaving {
  /// What the engine did not come to rest of.
  struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  let script: InterleavingScript
  let lab: Lab
  private(set) var model = InterleavingModel()
  private(set) var engine: Engine
  private var transport: SteppedTransport
  private var work = InterleavingWork()
  /// What the verbs have answered, in the order in which they were begun.
  private(set) var answers: [String] = []
  private var calls: [Task<Void, Never>] = []
  /// The requests of the processes before this one.
  private var earlierRequests: [FakeTransport.Request] = []
  private var processes = 1

  init(_ script: InterleavingScript, on lab: Lab) async throws {
    self.script = script
    self.lab = lab
    lab.random = LongestWaits()
    lab.settings.network.maxConcurrentDownloads = script.concurrency
    lab.settings.network.maxPerHost = script.perHost
    lab.settings.rendering.thumbnails = script.makesThumbnails
    lab.settings.lazy.rest = 0
    lab.settings.lazy.prefetch = 0
    transport = Self.serve(script, lab)
    engine = try await lab.started()
  }

  // MARK: - The web

  static func url(_ picture: Int) -> String {
    Lab.url(picture, host: picture.isMultiple(of: 2) ? "h" : "g")
  }

  static func list(_ number: Int) -> String { "http://h/\(number).txt" }

  private static func serve(_ script: InterleavingScript, _ lab: Lab) -> SteppedTransport {
    for (number, pictures) in script.lists.enumerated() {
      lab.serveList(pictures.map { url($0) }, at: list(number))
    }
    var random = SeededGenerator(seed: script.moods)
    for picture in InterleavingScript.pictures {
      let tag: String? = picture.isMultiple(of: 5) ? nil : "\"v1\""
      let plain = FakeAnswer.file(Lab.image(picture), tag: tag)
      let whole = picture.isMultiple(of: 3) ? plain.with("Cache-Control", "max-age=600") : plain
      let first =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: FakeAnswer(status: 503)
        case 1: whole.cut(after: Int.random(in: 1...60, using: &random))
        case 2: whole.withoutLength()
        default: whole
        }
      if picture == InterleavingScript.missingPicture {
        lab.web.serve(url(picture), FakeAnswer(status: 404))
      } else {
        lab.web.serve(url(picture), first, whole)
      }
    }
    let transport = SteppedTransport(lab.web) { $0.contains("/p/") }
    lab.transport = transport
    return transport
  }

  // MARK: - The script

  func play() async throws {
    for burst in script.bursts {
      let targets = burst.map { $0.list.flatMap { model.newest(of: $0) } }
      model.note(burst, targets)
      if case .restart = burst.first { try await restart() } else { await begin(burst, targets) }
      try await rest()
      try await check()
    }
  }

  private func begin(_ burst: [InterleavingScript.Step], _ targets: [RecordID?]) async {
    let held = transport.held
    var verbs: [InterleavingWork.Verb] = []
    for (step, target) in zip(burst, targets) {
      switch step {
      case .answer(let number, let toEnd):
        if !held.isEmpty { transport.goOn(held[number % held.count], toEnd: toEnd) }
      case .advance(let seconds): lab.clock.advance(by: seconds)
      case .giveUp(let call):
        if calls.indices.contains(call) { work.giveUp(call, calls[call]) }
      case .call(let picture, let policy):
        let call = calls.count
        calls.append(await engine.beginCall(call, Self.url(picture), policy, work))
      default: verbs.append(InterleavingWork.Verb(step: step, target: target))
      }
    }
    await engine.begin(verbs, work, from: answers.count)
    answers += verbs.map { "\($0.step)" }
  }

  private func restart() async throws {
    await engine.stop()
    try await until { [work] _ in work.isDone }
    takeAnswers()
    // A batch that was to gather for a moment is not waited for.
    let clock = lab.clock
    clock.advance(by: 1)
    try await until { _ in clock.sleeperCount == 0 }
    earlierRequests += lab.web.requests
    processes += 1
    calls = []
    work = InterleavingWork()
    lab.newProcess()
    transport = Self.serve(script, lab)
    engine = try await lab.started()
  }

  private func takeAnswers() {
    for (number, answer) in work.takeAnswers() { answers[number] += ": \(answer)" }
    for (list, records) in work.takeAppended() { model.appended(records, of: list) }
  }

  // MARK: - Rest

  /// Returns when nothing happens any more before a transfer goes on, time passes, or somebody wants
  /// something.
  private func rest() async throws {
    let (transport, clock, work) = (transport, lab.clock, work)
    try await until { stages in
      stages.lifecycle.failure != nil
        || stages.isAtRest(
          held: transport.held.count, sleepers: clock.unfinishedSleepCount, work: work)
    }
    takeAnswers()
  }

  /// - Throws: `Stuck` instead of looking forever.
  private func until(_ isMet: @Sendable (Stages) -> Bool) async throws {
    var met = 0
    for _ in 0..<200_000 {
      // Twice: what a turn has begun is behind it in the queue, and before the next look.
      met = await engine.looks(isMet) ? met + 1 : 0
      if met == 2 { return }
      await Task.yield()
    }
    throw Stuck(
      description: "\(await engine.situation), \(transport.held.count) held, "
        + "\(lab.clock.sleeperCount) asleep, \(work)")
  }

  // MARK: - What always holds

  private func check() async throws {
    #expect(await engine.run { $0.lifecycle.failure } == nil)
    let held = transport.held.map { "\($0.url) \($0.addresses)" }
    #expect(Set(held).count == held.count, "the same is on its way twice: \(held)")
    let records = try await lab.records()
    #expect(Set(records.map(\.id)) == Set(model.records.keys), "the records that there are")
    let state = try await lab.disk.libraryState()
    #expect(!state.isPaused || model.mayBePaused)
    #expect(!state.isPaused || held.isEmpty, "paused, and still on its way: \(held)")
    #expect(state.concurrency == model.concurrency)
    #expect(state.perHost == model.perHost)
    for record in records {
      guard let expected = model.records[record.id] else { continue }
      #expect(!record.isPaused || expected.mayBePaused, "\(record.title) is paused")
      #expect(record.priority == expected.priority, "\(record.title)")
      let counts = recount(try await lab.resources(record))
      #expect(record.counts == counts, "\(record.title)")
    }
    for progress in engine.snapshot().records {
      let counts = records.first { $0.id == progress.id }?.counts
      let shown = [progress.total, progress.finished, progress.failed]
      #expect(shown == counts.map { [$0.total, $0.finished, $0.failed] }, "\(progress.title)")
    }
  }

  private func recount(_ resources: [Resource]) -> ResourceCounts {
    resources.reduce(into: ResourceCounts()) { counts, resource in
      counts[resource.state] += 1
      counts.named += resource.isNamed ? 1 : 0
      counts.bytes += resource.file?.byteCount ?? 0
    }
  }

  // MARK: - The end

  /// What is in the library; without what depends on the timing.
  func outcome() async throws -> InterleavingOutcome {
    var outcome = try await InterleavingOutcome(lab)
    if script.isCalm {
      outcome.answers = answers
    } else {
      let uncertain = try await lab.records().filter { record in
        record.isLazy || model.records[record.id]?.mayBeCancelled ?? true
      }
      outcome.leaveTimingOut(
        of: Set(uncertain.map(\.title)), isIdle: await engine.run { $0.lifecycle.isEnding })
    }
    return outcome
  }

  /// Everything that was held goes on to its end.
  func finish() async throws {
    transport.letGo()
    lab.clock.run()
    // Where nothing is paused, nothing need be said for everything to be done.
    if !model.holdsNothing {
      model.note([.resume(list: nil)], [nil])
      await begin([.resume(list: nil)], [nil])
    }
    let work = work
    try await until { ($0.lifecycle.isIdle && work.isDone) || $0.lifecycle.failure != nil }
    takeAnswers()
    try await check()
    try await checkEnd()
    await engine.stop()
    try await lab.checkLibrary()
  }

  private func checkEnd() async throws {
    for record in try await lab.records() {
      guard let expected = model.records[record.id] else { continue }
      for (place, resource) in try await lab.resources(record).enumerated() {
        let isWanted = !record.isLazy || model.isVisible(place, of: record.id)
        let isMissing = resource.url == Self.url(InterleavingScript.missingPicture)
        let isRight =
          switch resource.state {
          case .finished: !isMissing
          case .failed where resource.reason == Resource.cancelledReason: expected.mayBeCancelled
          case .failed: isMissing
          case .queued: !isWanted
          case .stored, .fetched: false
          }
        #expect(
          isRight, "\(record.title), \(place): \(resource.state), \(resource.reason ?? "")")
      }
    }
    for (url, count) in requests where url.contains("/p/") {
      #expect(count <= 1 + processes + model.reasonsToAsk, "\(url) was asked for \(count) times")
    }
  }

  private var requests: [String: Int] {
    (earlierRequests + lab.web.requests).reduce(into: [:]) { $0[$1.url, default: 0] += 1 }
  }

  /// A program that begins anew finds the same, and nothing left to do.
  func reopen() async throws {
    let before = try await InterleavingOutcome(lab)
    lab.newProcess()
    transport = Self.serve(script, lab)
    transport.letGo()
    engine = try await lab.started()
    work = InterleavingWork()
    try await until { $0.lifecycle.isIdle || $0.lifecycle.failure != nil }
    #expect(await engine.run { $0.lifecycle.failure } == nil)
    await engine.stop()
    #expect(lab.web.requests.map(\.url) == [])
    #expect(try await InterleavingOutcome(lab) == before)
    try await lab.checkLibrary()
  }
}

extension InterleavingScript.Step {
  /// The list whose newest record it concerns.
  fileprivate var list: Int? {
    switch self {
    case .pause(let list), .resume(let list), .retry(let list): list
    case .cancel(let list), .reload(let list), .remove(let list), .setPriority(_, let list),
      .look(_, let list, _):
      list
    case .add, .reset, .setConcurrency, .setPerHost, .lookAway, .call, .giveUp, .answer, .advance,
      .restart:
      nil
    }
  }
}
