import Models
import Persistence
import PersistenceMemory
import PersistenceSQLite
import Testing

/// Everything that a store shows.
private struct Snapshot: Equatable {
  var records: [Record] = []
  var resources: [Resource] = []
  var pages: [ResourceID: [Page]] = [:]
  var partials: [ResourceID: PartialDownload] = [:]
  var windows: [ResourceState: [ResourceID]] = [:]
  var totals = ResourceCounts()
  var incomplete: [SourceRow] = []

  init(_ store: any LibraryStore) async throws {
    records = try await store.records(offset: 0, limit: 1_000)
    for record in records {
      resources += try await store.resources(of: record.id, offset: 0, limit: 1_000)
    }
    for resource in resources {
      pages[resource.id] = try await store.pages(of: resource.id)
      partials[resource.id] = try await store.partial(of: resource.id)
    }
    for state in ResourceState.allCases {
      windows[state] = try await store.resources(in: state, after: nil, limit: 1_000).map(\.id)
    }
    totals = try await store.totals()
    incomplete = try await store.incompleteSources()
  }

  /// Counted again from the resources themselves.
  var recount: ResourceCounts {
    resources.reduce(into: ResourceCounts()) { counts, resource in
      counts[resource.state] += 1
      counts.bytes += resource.file?.byteCount ?? 0
    }
  }
}

/// One random call, the same for both stores.
private enum Step: Sendable {
  case begin(String)
  case complete(SourceID)
  case discard(SourceID)
  case record(SourceID, folder: String)
  case append(Int, RecordID)
  case apply([ResourceChange])
  case requeue(RecordID?)
  case pause(Bool, RecordID)
  case remove(RecordID)
  case removeAll

  static func random(using generator: inout SeededGenerator) -> Step {
    let source = SourceID(.random(in: 1...6, using: &generator))
    let record = RecordID(.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<5: return .begin("key \(Int.random(in: 0..<3, using: &generator))")
    case 5..<11: return .complete(source)
    case 11..<12: return .discard(source)
    case 12..<22: return .record(source, folder: "f\(Int.random(in: 0..<12, using: &generator))")
    case 22..<32: return .append(.random(in: 0...9, using: &generator), record)
    case 32..<36: return .requeue(Bool.random(using: &generator) ? nil : record)
    case 36..<40: return .pause(.random(using: &generator), record)
    case 40..<41: return .remove(record)
    case 41..<42 where Int.random(in: 0..<10, using: &generator) == 0: return .removeAll
    default:
      let count = Int.random(in: 1...20, using: &generator)
      return .apply((0..<count).map { _ in randomChange(using: &generator) })
    }
  }

  private static func randomChange(using generator: inout SeededGenerator) -> ResourceChange {
    let id = ResourceID(.random(in: 1...120, using: &generator))
    let seed = UInt8.random(in: 0...255, using: &generator)
    let pages = makePages(Int.random(in: 0...3, using: &generator))
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .attempted(id)
    case 1:
      let synced = Int64.random(in: 0...9, using: &generator)
      return .partial(
        id,
        PartialDownload(
          validator: Validator(), totalBytes: nil, bootID: "b", syncedBytes: synced))
    case 2: return .partialGone(id)
    case 3: return .stored(id, makeFile(seed, bytes: .random(in: 0...1_000, using: &generator)))
    case 4: return .fetched(id)
    case 5: return .finished(id, pages: pages, reason: seed < 128 ? nil : "reason \(seed)")
    case 6: return .failed(id, reason: "reason \(seed)", pages: pages)
    default: return .requeued(id)
    }
  }

  /// - Returns: what the call gave, errors included, as text.
  func run(on store: any LibraryStore) async throws -> String {
    do {
      switch self {
      case .begin(let key):
        return "\(try await store.beginSource(SourceDraft(key: key, location: key)))"
      case .complete(let id): try await store.completeSource(id)
      case .discard(let id): try await store.discardSource(id)
      case .record(let source, let folder):
        let draft = RecordDraft(source: source, title: folder, folder: folder)
        return "\(try await store.appendRecord(draft))"
      case .append(let count, let record):
        try await store.appendResources(makeDrafts(count), to: record)
      case .apply(let changes): try await store.apply(changes, durable: false)
      case .requeue(let record): return "\(try await store.requeueFailed(of: record))"
      case .pause(let paused, let record): try await store.setPaused(paused, record: record)
      case .remove(let record): try await store.removeRecord(record)
      case .removeAll: try await store.removeAll()
      }
      return "done"
    } catch {
      return error.code.rawValue
    }
  }
}

@Suite("Random changes")
struct RandomChangesTests {
  @Test(
    "After any calls both stores show the same, and the counters are a recount",
    arguments: 1...12 as ClosedRange<UInt64>)
  func sameAsTheModel(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let sqlite = try await SQLiteStoreOpening().open(folder: folder.path)
    let memory = MemoryStore()
    var generator = SeededGenerator(seed: seed)
    for step in 1...400 {
      let call = Step.random(using: &generator)
      let answer = try await call.run(on: sqlite)
      let expected = try await call.run(on: memory)
      try #require(answer == expected, "step \(step): \(call)")
      guard step % 10 == 0 else { continue }
      let seen = try await Snapshot(sqlite)
      let model = try await Snapshot(memory)
      try #require(seen == model, "step \(step)")
      try #require(seen.totals == seen.recount, "step \(step)")
    }
    #expect(try await sqlite.integrityProblems() == [])
    await sqlite.close()
  }
}
