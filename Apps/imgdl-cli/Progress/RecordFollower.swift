import Composition
import LibraryAPI
import Models
import Persistence

/// Waits until the engine of another process has done the requested work.
struct RecordFollower: Sendable {
  enum End: Sendable {
    /// All requested records are finished or have been removed.
    case finished
    /// The engine ended before all records were finished.
    case ended
  }

  private let library: LibraryConnection
  private let events: AsyncStream<LibraryEvent>

  /// The time between two checks of the store, which detect work whose events were lost.
  private static let interval = Duration.seconds(2)
  private static let grace = Duration.seconds(1)

  /// - Parameter events: A stream that was requested before the work began, so that no event is missed.
  init(_ library: LibraryConnection, _ events: AsyncStream<LibraryEvent>) {
    self.library = library
    self.events = events
  }

  /// Waits until the records are finished or the engine has ended.
  /// - Parameter settledCounts: See `Record.unfinishedCount`.
  /// - Throws: The error that stopped the engine; `CancellationError`.
  func waitUntilFinished(
    _ records: [RecordID], settling settledCounts: [RecordID: Int]
  ) async throws -> End {
    var unsettled = ActiveRecords(library.store, settledCounts)
    for id in records { try await unsettled.refresh(id) }
    guard !unsettled.isEmpty else { return .finished }
    let begun = unsettled
    return try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask { try await self.process(begun) }
      group.addTask {
        var rest = begun
        while !rest.isEmpty {
          try await Task.sleep(for: Self.interval)
          try await rest.refreshAll()
        }
        // The grace period lets the display show events that were already sent.
        try await Task.sleep(for: Self.grace)
        return .finished
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .ended
    }
  }

  private func process(_ begun: ActiveRecords) async throws -> End {
    var unsettled = begun
    for await event in events {
      try Self.check(event)
      try await unsettled.update(with: event.kind)
      if unsettled.isEmpty { return .finished }
    }
    try Task.checkCancellation()
    try await unsettled.refreshAll()
    return unsettled.isEmpty ? .finished : .ended
  }

  /// Waits until the engine has ended.
  /// - Returns: The records to which the events belong.
  func waitUntilEngineEnds() async throws -> Set<RecordID> {
    var records: Set<RecordID> = []
    for await event in events {
      try Self.check(event)
      if let record = event.kind.record { records.insert(record) }
    }
    try Task.checkCancellation()
    return records
  }

  /// Waits until the engine has ended or is idle, because imgdld keeps running when it is idle.
  /// - Returns: The records to which the events belong.
  func waitUntilIdle() async throws -> Set<RecordID> {
    let told = ReportedRecords()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.collect(into: told) }
      group.addTask {
        // The engine must be idle in two successive checks, so that work which has just arrived is not
        // missed.
        var isIdle = false
        while true {
          let wasIdle = isIdle
          isIdle = (try? await library.service.status())?.isIdle ?? false
          if wasIdle, isIdle { return }
          try await Task.sleep(for: Self.idleInterval)
        }
      }
      try await group.next()
      group.cancelAll()
      return await told.records
    }
  }

  private static let idleInterval = Duration.milliseconds(200)

  private func collect(into told: ReportedRecords) async throws {
    for await event in events {
      try Self.check(event)
      if let record = event.kind.record { await told.insert(record) }
    }
    try Task.checkCancellation()
  }

  private actor ReportedRecords {
    private(set) var records: Set<RecordID> = []

    func insert(_ record: RecordID) { records.insert(record) }
  }

  private static func check(_ event: LibraryEvent) throws {
    if case .stopped(let error) = event.kind, error.code != .interrupted { throw error }
  }
}

/// The number of unfinished resources of each record, counted from events. The store is queried when a count
/// reaches zero.
private struct ActiveRecords: Sendable {
  private let store: any LibraryReader
  private let settledCounts: [RecordID: Int]
  private var unfinishedCounts: [RecordID: Int] = [:]

  var isEmpty: Bool { unfinishedCounts.isEmpty }

  init(_ store: any LibraryReader, _ settledCounts: [RecordID: Int]) {
    self.store = store
    self.settledCounts = settledCounts
  }

  mutating func refresh(_ id: RecordID) async throws {
    let record = try await store.record(id)
    let count = record?.unfinishedCount(settling: settledCounts[id]) ?? 0
    unfinishedCounts[id] = count > 0 ? count : nil
  }

  mutating func refreshAll() async throws {
    for id in Array(unfinishedCounts.keys) { try await refresh(id) }
  }

  mutating func update(with event: LibraryEvent.Kind) async throws {
    switch event {
    case .finished(_, let record), .failed(_, let record, _, _):
      guard let count = unfinishedCounts[record] else { return }
      unfinishedCounts[record] = count - 1
      if count <= 1 { try await refresh(record) }
    case .cancelled(let record, _), .recordRemoved(let record):
      if unfinishedCounts[record] != nil { try await refresh(record) }
    case .wasReset: unfinishedCounts = [:]
    default: break
    }
  }
}

extension LibraryEvent.Kind {
  /// The record to which the event belongs, or nil if the event belongs to none.
  fileprivate var record: RecordID? {
    switch self {
    case .recordAdded(let record, _), .entriesAdded(let record, _), .reloading(let record, _),
      .started(_, let record), .finished(_, let record), .retrying(_, let record, _, _),
      .failed(_, let record, _, _), .retried(let record?, _):
      record
    default: nil
    }
  }
}
