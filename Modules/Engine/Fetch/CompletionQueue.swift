import Models
import Synchronization

/// Passes outcomes from the transport's threads to the engine, which dequeues all of them at once: under
/// load, one turn of the actor serves many transfers.
final class CompletionQueue: Sendable {
  typealias Entry = (request: RequestKey, outcome: Download.Outcome)

  private let entries = Mutex<[Entry]>([])

  /// Adds the outcome of a transfer. Called on any thread.
  /// - Returns: Whether this is the first outcome since the last `drain`, so that the caller must schedule
  ///   the next `drain`.
  func enqueue(_ request: RequestKey, _ outcome: Download.Outcome) -> Bool {
    entries.withLock { entries in
      entries.append((request, outcome))
      return entries.count == 1
    }
  }

  func drain() -> [Entry] {
    entries.withLock { entries in
      let taken = entries
      entries = []
      // About as many outcomes are expected until the next `drain`.
      entries.reserveCapacity(taken.count)
      return taken
    }
  }
}
