import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// The program dies in the middle of each verb, at each write in turn; the next run settles all of
/// it: nothing is lost, nothing that was there is fetched again without need, nothing is left over.
@Suite(.timeLimit(.minutes(60))) struct SteeredKillTests {
  enum Death: String, CaseIterable, Sendable { case before, after }

  enum Story: String, CaseIterable, Sendable {
    case twoRecords, again, reload, cancel, pause, refresh, callers, lazy, remove, reset, retry
  }

  private static let old = (1...4).map { "http://h/p/\($0).png" }
  private static let changing = ["http://h/x/1.png", "http://h/x/2.png"]

  /// The web as it was when the library was made; `isNew`: what has changed since.
  private func serve(_ lab: Lab, isNew: Bool) {
    for (index, url) in Self.changing.enumerated() {
      let number = isNew ? 800 + index : 700 + index
      lab.web.serve(url, .file(Lab.image(number), tag: "\"\(number)\""))
    }
    lab.serveList(Self.old + Self.changing)
    lab.serveList(Self.old, at: "http://h/twin.txt")
    lab.serveList((9...12).map { Lab.url($0) } + Self.old, at: "http://h/more.txt")
    if !isNew { lab.web.serve("http://h/gone.png", FakeAnswer(status: 404)) }
    if isNew { lab.web.serve("http://h/gone.png", .file(Lab.image(600))) }
    lab.serveList(["http://h/gone.png"], at: "http://h/gone.txt")
    lab.web.serve(
      "http://h/grows.txt",
      FakeAnswer(
        body: Array(((isNew ? [Lab.url(20)] : []) + [Lab.url(21)]).joined(separator: "\n").utf8)
      )
      .with("ETag", isNew ? "\"2\"" : "\"1\""))
  }

  /// A library in which everything is settled.
  private func made() async throws -> Lab {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 2
    lab.settings.network.retries = 0
    serve(lab, isNew: false)
    let engine = try await lab.started()
    for list in ["list", "gone", "grows"] {
      _ = try await engine.add(Lab.request("http://h/\(list).txt"))
    }
    try await engine.waitUntilIdle()
    await engine.stop()
    lab.newProcess()
    serve(lab, isNew: true)
    return lab
  }

  private func play(_ story: Story, _ engine: Engine, _ lab: Lab) async throws {
    let records = try await lab.records()
    let id = { (title: String) throws -> RecordID in
      guard let record = records.first(where: { $0.title == title }) else {
        throw LibraryError(.noSuchRecord, "gone")
      }
      return record.id
    }
    switch story {
    case .twoRecords:
      _ = try await engine.add(Lab.request("http://h/more.txt"))
      _ = try await engine.add(Lab.request("http://h/twin.txt"))
    case .again: _ = try await engine.add(Lab.request(again: true))
    case .reload: _ = try await engine.reload(id("list"))
    case .cancel:
      _ = try await engine.reload(id("list"))
      _ = try await engine.cancel(id("list"))
    case .pause:
      let added = try await engine.add(Lab.request("http://h/more.txt"))
      _ = try await engine.pause(added.records.first)
      _ = try await engine.pause(nil)
      _ = try await engine.resume(nil)
    case .refresh: _ = try await engine.refresh(id("grows"))
    case .callers:
      for url in Self.changing {
        _ = try await engine.resource(at: HTTPURL(url), .validated)
        _ = try await engine.resource(at: HTTPURL(url), .reloaded)
      }
      _ = try await engine.resource(at: HTTPURL(Lab.url(30)), .cached)
    case .lazy:
      let added = try await engine.add(Lab.request("http://h/more.txt", isLazy: true))
      guard let lazy = added.records.first else { return }
      await engine.setVisibleRange(0..<3, of: lazy, for: ViewerID(1))
      try await engine.waitUntilIdle()
    case .remove: try await engine.remove(id("list"))
    case .reset:
      try await engine.reset()
      _ = try await engine.add(Lab.request("http://h/twin.txt"))
    case .retry: _ = try await engine.retry(nil)
    }
    try await engine.waitUntilIdle()
  }

  /// - Returns: whether it died.
  private func playUntilDeath(
    _ story: Story, _ lab: Lab, at number: Int, _ death: Death
  ) async throws -> Bool {
    let engine: Engine
    do {
      engine = try await lab.open { _, _, count in
        guard count == number else { return .pass }
        return death == .before ? .dieBefore : .dieAfter
      }
    } catch {
      guard lab.store.isDead else { throw error }
      return true
    }
    do {
      try await engine.start()
      try await play(story, engine, lab)
    } catch {
      guard lab.store.isDead else { throw error }
    }
    let died = lab.store.isDead
    await engine.stop()
    return died
  }

  /// Another run finishes what is left, without the verb.
  private func finish(_ lab: Lab, _ what: Comment) async throws {
    lab.newProcess()
    serve(lab, isNew: true)
    let settled = try await settledURLs(lab)
    let engine = try await lab.started()
    try await engine.resume(nil)
    try await engine.waitUntilIdle()
    let progress = engine.snapshot()
    await engine.stop()
    #expect(progress.active.isEmpty, what)
    #expect(try await lab.disk.recordsInChange() == [], what)
    // What was settled and in place, and is not to be reloaded, costs nothing.
    #expect(settled.isDisjoint(with: lab.web.requests.map(\.url)), what)
    for record in try await lab.records() where !record.isLazy {
      #expect(record.counts.settled == record.counts.total, "\(what), \(record.title)")
    }
    try await lab.checkLibrary()
  }

  private func settledURLs(_ lab: Lab) async throws -> Set<String> {
    var settled: Set<String> = []
    var open: Set<String> = []
    // A verb that was begun goes on: it may concern every resource of its record.
    let inChange = Set(try await lab.disk.recordsInChange())
    for resource in try await lab.allResources() {
      if resource.state == .queued || resource.state == .stored
        || inChange.contains(resource.record)
      {
        open.insert(resource.url)
      } else {
        settled.insert(resource.url)
      }
    }
    return settled.subtracting(open)
  }

  @Test(
    "It dies at each write of each verb, before or after its effect; the next run settles all",
    arguments: Story.allCases, Death.allCases)
  func eachWrite(story: Story, death: Death) async throws {
    var number = 1
    while true {
      let lab = try await made()
      guard try await playUntilDeath(story, lab, at: number, death) else { break }
      try await finish(lab, "\(story), write \(number), \(death)")
      number += 1
    }
    #expect(number > 1, "\(story)")
  }
}
