import Models
import Synchronization

/// Outcomes on their way from the transport's threads to the engine, which takes as many at a time
/// as there are: under load one turn of the actor serves many transfers.
final class CompletionQueue: Sendable {
  typealias Entry = (request: RequestKey, outcome: Download.Outcome)

  private let entries = Mutex<[Entry]>([])

  /// - Returns: whether it is the first since the last `take`, so that somebody has to call that.
  func add(_ request: RequestKey, _ outcome: Download.Outcome) -> Bool {
    entries.withLock { entries in
      entries.append((request, outcome))
      return entries.count == 1
    }
  }

  func take() -> [Entry] {
    entries.withLock { entries in
      let taken = entries
      entries = []
      // About as many come until the next time.
      entries.reserveCapacity(taken.count)
      return taken
    }
  }
}
