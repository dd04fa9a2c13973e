import LibraryAPI
import Models
import Persistence
import SystemCalls

/// What concerns many rows is done a part in each turn, so that others come between.
extension Engine {
  /// - Parameter body: does the next part, of as many rows as it is told, and says whether more is left.
  func inParts(
    _ body: (any LibraryStore, _ limit: Int) throws(StoreError) -> Bool
  ) async throws(StoreError) {
    var pace = RowPace()
    while true {
      try await untilUnlocked()
      let start = ports.clock.now()
      guard try body(store, pace.rows) else { return }
      pace.note(ports.clock.now() - start)
      await endTurn()
    }
  }

  /// Lets others come between, and the store take in what was written.
  private func endTurn() async {
    await Task.yield()
    await (try? store)?.catchUp()
  }

  /// Changes all rows of a record. A program that ends in between does the rest when it is opened again.
  /// - Returns: how many were changed.
  func change(_ id: RecordID, _ verb: RecordVerb) async throws(StoreError) -> Int {
    try store.begin(verb, of: id)
    return try await finishChange(of: id)
  }

  /// Does what is left of a change of all rows of a record.
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

/// How many rows a turn may change, look at or commit so that it takes a millisecond at most, as the turns
/// before have shown.
struct RowPace {
  private(set) var rows: Int
  private let bounds: ClosedRange<Int>

  private let longest: Double

  /// - Parameter longest: what a turn may take, in seconds.
  init(within bounds: ClosedRange<Int> = 8...2_048, longest: Double = 0.001) {
    self.bounds = bounds
    self.longest = longest
    rows = max(min(64, bounds.upperBound), bounds.lowerBound)
  }

  /// - Parameter seconds: what the last turn took.
  mutating func note(_ seconds: Double) {
    if seconds > longest {
      rows = max(bounds.lowerBound, rows / 2)
    } else if seconds < longest / 3 {
      rows = min(bounds.upperBound, rows * 2)
    }
  }
}
