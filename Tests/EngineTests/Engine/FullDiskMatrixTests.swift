import LibraryAPI
import Models
import Persistence
import SystemCalls
import TestSupport
import Testing
import Verification

@testable import Engine

/// Each verb on a disk without a free byte, for each state of rows and each way in which a file is put in place:
/// the library opens, what makes room works, nothing is lost, and with room everything is completed.
@Suite(.timeLimit(.minutes(60))) struct FullDiskMatrixTests {
  enum Verb: CaseIterable, Sendable {
    case remove, cancel, reset, pause, verify, retry, reload, add

    /// Whether the verb must work on a full disk, because it makes room or only reads and marks.
    var mustWork: Bool {
      switch self {
      case .remove, .cancel, .reset, .pause, .verify, .retry: true
      case .reload, .add: false
      }
    }
  }

  /// The state of the second resource; the first one is finished.
  enum Row: CaseIterable, Sendable {
    case queued, partial, stored, fetched, finished, failed, removed
  }

  /// How recovery and commits put the second file in place.
  enum Way: CaseIterable, Sendable { case rename, link, copy }

  struct Case: Sendable, CustomTestStringConvertible {
    let verb: Verb
    let row: Row
    let way: Way
    var testDescription: String { "\(verb) with a row \(row) and \(way)" }

    static let all = Verb.allCases.flatMap { verb in
      Row.allCases.flatMap { row in Way.allCases.map { Case(verb: verb, row: row, way: $0) } }
    }
  }

  private static let full: ConfinedFolder.Refusal = { _, path in
    SystemError(errno: 28, call: "write to", path: path)
  }

  @Test("A full disk keeps no verb from making room, and loses nothing", arguments: Case.all)
  func verb(_ situation: Case) async throws {
    let lab = try Lab()
    lab.settings.durability = situation.way == .copy ? .full : .relaxed
    try await prepare(lab, situation)
    lab.newProcess()
    lab.web.serve(secondURL(situation), .file(secondImage(situation)))
    lab.refusal = Self.full
    let engine = try await lab.open()
    try await engine.start()
    let record = try await lab.records().first?.id ?? RecordID(1)
    do throws(LibraryError) {
      try await perform(situation.verb, of: record, engine, lab)
    } catch {
      let isForgotten = situation.row == .removed && error.code == .noSuchRecord
      #expect(isForgotten || !situation.verb.mustWork && error.code == .diskFull, "\(error)")
    }
    // What was paused by this engine is work of this engine, so that it would never be idle.
    if situation.verb != .pause, let error = await failure(of: engine) {
      #expect(error.code == .diskFull, "\(error)")
    }
    await engine.stop()
    try await lab.checkLibrary(isIdle: false, sharesContent: false)
    lab.newProcess()
    lab.web.serve(secondURL(situation), .file(secondImage(situation)))
    lab.refusal = nil
    let later = try await lab.started()
    if situation.verb == .pause { _ = try await later.resume(nil) }
    try await later.waitUntilIdle()
    await later.stop()
    try await lab.checkLibrary(sharesContent: situation.way == .link && situation.verb != .reload)
    try await check(lab, situation)
  }

  /// Makes a library of two resources, the second one in the state of the case.
  private func prepare(_ lab: Lab, _ situation: Case) async throws {
    lab.serveImages(1...2)
    let second = secondImage(situation)
    lab.web.serve(secondURL(situation), .file(second))
    lab.serveList([Lab.url(1), secondURL(situation)])
    try await lab.run()
    let record = try #require(try await lab.records().first)
    let resource = try #require(try await lab.allResources().last)
    let file = try #require(resource.file)
    let path = lab.layout.original(file, in: record)
    let partial = lab.layout.partial(of: Lab.request(of: resource))
    switch situation.row {
    case .finished: break
    case .queued, .partial:
      try FileSystem.remove(path)
      try lab.disk.apply([.requeued(resource.id, reason: nil)])
    case .stored:
      try FileSystem.rename(path, to: partial)
      try lab.disk.apply([.stored(resource.id, file)])
    case .fetched:
      try lab.disk.apply([.stored(resource.id, file), .fetched(resource.id)])
    case .failed:
      try FileSystem.remove(path)
      try lab.disk.apply([
        .requeued(resource.id, reason: nil), .failed(resource.id, reason: "HTTP 500", pages: []),
      ])
    case .removed:
      try lab.disk.write { store throws(StoreError) in try store.markRemoved(record.id) }
    }
    guard situation.row == .partial else { return }
    let bytes = Array(second.prefix(second.count / 2))
    let open = try FileSystem.open(partial, .writing, create: .replacing)
    try open.write(all: bytes.span.bytes)
    let state = PartialDownload(
      validator: Validator(entityTag: EntityTag("\"v1\"")), totalBytes: Int64(second.count),
      bootID: lab.bootID, syncedBytes: Int64(bytes.count), url: resource.url)
    try lab.disk.apply([.partial(Lab.request(of: resource), state)])
  }

  /// The second file. A link needs another one of the same content.
  private func secondImage(_ situation: Case) -> [UInt8] {
    Lab.image(situation.way == .link ? 1 : 2)
  }

  private func secondURL(_ situation: Case) -> String {
    situation.way == .link ? "http://h/q/2.png" : Lab.url(2)
  }

  private func perform(
    _ verb: Verb, of record: RecordID, _ engine: Engine, _ lab: Lab
  ) async throws(LibraryError) {
    switch verb {
    case .remove: try await engine.remove(record)
    case .cancel: try await engine.cancel(record)
    case .reset: try await engine.reset()
    case .pause: try await engine.pause(nil)
    case .verify:
      do {
        _ = try await LibraryVerifier(
          layout: engine.layout, store: lab.disk,
          requeue: { try await engine.requeue($0, reason: $1) }
        ).run(readingData: true) { _ in }
      } catch {
        throw LibraryError.wrapping(error)
      }
    case .retry: try await engine.retry()
    case .reload: try await engine.reload(record)
    case .add:
      lab.serveList([Lab.url(7)], at: "http://h/other.txt")
      let request: SourceRequest
      do {
        request = try Lab.request("http://h/other.txt")
      } catch {
        throw LibraryError.wrapping(error)
      }
      _ = try await engine.add(request)
    }
  }

  /// Returns the error with which the work of an engine ends; nil if all of it is done.
  private func failure(of engine: Engine) async -> LibraryError? {
    do throws(LibraryError) {
      try await engine.waitUntilIdle()
      return nil
    } catch {
      return error
    }
  }

  /// Checks that what the verb did not remove is finished in the end.
  private func check(_ lab: Lab, _ situation: Case) async throws {
    let isGone = situation.row == .removed || [.remove, .reset].contains(situation.verb)
    let first = try await lab.allResources().filter { $0.url == Lab.url(1) }
    #expect(first.map(\.state) == (isGone ? [] : [.finished]))
    let second = try await lab.allResources().filter { $0.url == secondURL(situation) }
    if isGone {
      #expect(second.isEmpty)
    } else if situation.verb == .cancel, second.first?.state != .finished {
      #expect(second.map(\.state) == [.failed])
    } else if situation.row == .failed, ![.retry, .reload].contains(situation.verb) {
      #expect(second.map(\.state) == [.failed])
    } else {
      #expect(second.map(\.state) == [.finished])
    }
  }
}
