import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Waits and long operations that stages divide into turns.
extension Stage {
  /// Returns when a transaction can begin, with suspensions while the database is locked by another
  /// process, such as an inspection tool or a backup. The caller must write before it suspends again. Only
  /// a lock that the other process acquires in between is waited for within the turn.
  /// - Throws: `.busy` if another process keeps the lock for longer than `ForeignLock.timeout`.
  func untilUnlocked() async throws(StoreError) {
    let deadline = ports.clock.now() + ForeignLock.timeout
    while true {
      do throws(StoreError) {
        return try store.checkUnlocked()
      } catch {
        guard error.code == .busy, ports.clock.now() < deadline else { throw error }
        let next = ports.clock.now() + ForeignLock.interval
        guard (try? await ports.clock.sleep(until: next)) != nil else { throw error }
      }
    }
  }

  /// Runs an operation on many rows in parts, one per turn, so that other work can run between them.
  /// - Parameter body: Handles the next part, of at most `limit` rows, and returns whether more rows are
  ///   left.
  func inParts(
    _ body: (any LibraryStore, _ limit: Int) throws(StoreError) -> Bool
  ) async throws(StoreError) {
    var pace = RowPace()
    while true {
      try await untilUnlocked()
      let start = ports.clock.now()
      guard try body(store, pace.rows) else { return }
      pace.adapt(to: ports.clock.now() - start)
      // Ends the turn, so that other work can run and the store can process recent writes.
      await Task.yield()
      await (try? store)?.catchUp()
    }
  }
}

/// Changes that queue resources again.
extension Stage {
  /// Runs a change in several turns, during which the engine is not idle. Afterwards the queued resources
  /// are downloaded and processed, even if the change ended early.
  func requeuing<Result>(_ change: () async throws -> Result) async throws -> Result {
    lifecycle.beginPart()
    defer {
      transfers.queueChanged()
      pages.requestStoreLookup()
      pages.pump()
      lifecycle.endPart()
    }
    return try await change()
  }
}

/// Bounds on the wait for the lock of another process on the database, in seconds.
enum ForeignLock {
  static let timeout = 5.0
  /// The interval between two checks whether the other process has released the lock.
  static let interval = 0.020
}
