import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Operations on many rows run in parts, one per turn, so that other work can run between them.
extension Engine {
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
      await endTurn()
    }
  }

  /// Ends the turn, so that other work can run and the store can process recent writes.
  private func endTurn() async {
    await Task.yield()
    await (try? store)?.catchUp()
  }

  /// Changes all rows of a record. If the process ends in between, the next start completes the change.
  /// - Returns: The number of changed rows.
  func change(_ id: RecordID, _ verb: RecordVerb) async throws(StoreError) -> Int {
    try store.beginChange(verb, of: id)
    return try await finishChange(of: id)
  }

  /// Completes a begun change of all rows of a record.
  @discardableResult
  func finishChange(of id: RecordID) async throws(StoreError) -> Int {
    var count = 0
    try await inParts { store, limit throws(StoreError) in
      guard let part = try store.advance(id, limit: limit) else { return false }
      count += part
      return true
    }
    return count
  }
}
