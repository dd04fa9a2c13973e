import LibraryAPI

/// Decides when an engine that could not continue is replaced. Pure.
///
/// On a full disk every new engine would request the same files again and fail at the same place. It is therefore
/// replaced only when more bytes are free than were missing, and than the last engine had that finished nothing; until
/// then only the free space is looked at.
struct EngineRestarts {
  /// The first delay in seconds, which is doubled after each failure up to `most`.
  let first: Double
  let most: Double
  private var failureCount = 0
  /// The last failure; nil if there was progress since.
  private(set) var failure: LibraryError?
  /// The number of bytes that must be free before the next engine; nil if the last one had another failure.
  private var neededBytes: Int64?
  /// The number of free bytes when the current engine began; nil if it is unknown, or if a resource was finished since.
  private var freeAtStart: Int64?

  init(first: Double, most: Double) { (self.first, self.most) = (first, most) }

  /// Records that an engine begins.
  /// - Parameter free: The number of free bytes on the disk; nil if it is unknown.
  mutating func began(free: Int64?) { freeAtStart = free }

  /// Records that an engine cannot continue.
  /// - Returns: The delay before `mayRestart`, in seconds.
  mutating func failed(_ error: LibraryError) -> Double {
    failure = error
    neededBytes = error.code == .diskFull ? max(error.neededBytes ?? 0, freeAtStart ?? 0) : nil
    return nextDelay()
  }

  /// Returns whether the next engine may be opened; if not, the caller waits for `nextDelay`.
  func mayRestart(free: Int64?) -> Bool {
    guard let neededBytes, let free else { return true }
    return free > neededBytes
  }

  mutating func nextDelay() -> Double {
    defer { failureCount += 1 }
    return min(most, first * Double(1 << min(failureCount, 6)))
  }

  /// Records that a resource was finished, or that the settings have changed, so that the next failure is a new one.
  mutating func progressed() {
    (failureCount, neededBytes, freeAtStart, failure) = (0, nil, nil, nil)
  }
}
