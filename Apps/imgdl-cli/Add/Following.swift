import Engine
import ImgdlLibrary
import Models
import Persistence

/// Waits for work that the engine of another process does.
struct Following: Sendable {
  enum End: Sendable {
    /// All that was asked for has settled or is gone.
    case settled
    /// The engine has ended.
    case ended
  }

  private let library: LibraryConnection
  private let events: AsyncStream<EngineEvent>

  /// How often the store is looked into.
  private static let interval = Duration.milliseconds(200)

  /// - Parameter events: subscribed to before the work began, so that its end is not missed.
  init(_ library: LibraryConnection, _ events: AsyncStream<EngineEvent>) {
    self.library = library
    self.events = events
  }

  /// - Throws: what stopped the engine; `CancellationError`.
  func untilSettled(_ records: [RecordID]) async throws -> End {
    try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask {
        _ = try await self.untilEnded()
        return .ended
      }
      group.addTask {
        var rest = records[...]
        while true {
          while let first = rest.first, try await self.isSettled(first) { rest.removeFirst() }
          if rest.isEmpty { return .settled }
          try await Task.sleep(for: Self.interval)
        }
      }
      defer { group.cancelAll() }
      guard let end = try await group.next() else { return .ended }
      // Its last work may have settled ours.
      if end == .ended, try await allSettled(records) { return .settled }
      return end
    }
  }

  /// Returns when the engine has ended.
  /// - Returns: the records of which something was told.
  func untilEnded() async throws -> Set<RecordID> {
    var records: Set<RecordID> = []
    for await event in events {
      if case .stopped(let error) = event.kind, error.code != .interrupted { throw error }
      if let record = event.kind.record { records.insert(record) }
    }
    try Task.checkCancellation()
    return records
  }

  private func allSettled(_ records: [RecordID]) async throws -> Bool {
    for id in records where try await !isSettled(id) { return false }
    return true
  }

  private func isSettled(_ id: RecordID) async throws -> Bool {
    try await library.store.record(id)?.isSettled ?? true
  }
}

extension EngineEvent.Kind {
  /// Whose work it is about.
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
