import Synchronization

/// A queue of events for one reader, which receives all pending events at once. Adding an event takes a lock
/// and resumes the reader only if it is waiting, so a reader that pauses between two calls of `next` causes
/// little work, however many events occur.
public final class EventFeed: Sendable {
  private struct State {
    var pending: [LibraryEvent] = []
    var waiting: CheckedContinuation<Void, Never>?
    /// Whether `waiting` is set. Testing the continuation itself would copy it at each event, and a reader
    /// seldom waits.
    var isAwaited = false
    var isFinished = false

    mutating func removeWaiting() -> CheckedContinuation<Void, Never>? {
      isAwaited = false
      return waiting.take()
    }
  }

  /// The minimum number of recent events kept for a slow reader. Once twice as many are pending, the feed
  /// drops the oldest ones, which leaves a gap in `seq`.
  public static let minimumKeptEvents = 4_096

  private let state = Mutex(State())

  public init() {}

  public func send(_ event: LibraryEvent) {
    let waiting = state.withLock { state in
      if state.pending.count >= 2 * Self.minimumKeptEvents {
        state.pending.removeFirst(Self.minimumKeptEvents)
      }
      state.pending.append(event)
      return state.isAwaited ? state.removeWaiting() : nil
    }
    waiting?.resume()
  }

  /// Ends the feed: `next` returns the pending events and then nil.
  public func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      return state.removeWaiting()
    }
    waiting?.resume()
  }

  /// Waits for events, and returns all that occurred since the last call. Returns nil if no events are left
  /// after `finish()`, or if the task is cancelled and none are pending. Only one call at a time is allowed.
  public func next() async -> [LibraryEvent]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if !wait(with: continuation) { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.removeWaiting() }?.resume()
    }
    return drain()
  }

  /// Stores the continuation until the next event, or returns false if `next` must not wait.
  private func wait(with continuation: CheckedContinuation<Void, Never>) -> Bool {
    state.withLock { state in
      guard state.pending.isEmpty, !state.isFinished, !Task.isCancelled else { return false }
      state.waiting = continuation
      state.isAwaited = true
      return true
    }
  }

  private func drain() -> [LibraryEvent]? {
    state.withLock { state in
      guard !state.pending.isEmpty else { return nil }
      let taken = state.pending
      state.pending = []
      // The next batch of events is likely to be about as large.
      state.pending.reserveCapacity(taken.count)
      return taken
    }
  }
}

extension LibraryService {
  /// Returns the events of `eventStream()` as a feed, for a reader that processes events in batches.
  public func eventFeed() async -> EventFeed {
    let feed = EventFeed()
    let events = await eventStream()
    Task.detached { [weak feed] in
      for await event in events {
        guard let feed else { return }
        feed.send(event)
      }
      feed?.finish()
    }
    return feed
  }
}
