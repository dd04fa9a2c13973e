import Synchronization

/// Events for one reader, who takes as many at a time as have come since. Telling one costs a lock
/// and wakes nobody but a reader that waits, so a reader that rests between two calls costs next to
/// nothing however much happens.
public final class EventFeed: Sendable {
  private struct State {
    var pending: [LibraryEvent] = []
    var waiting: CheckedContinuation<Void, Never>?
    /// Whether `waiting` is there: a look at that would copy it, and most events meet nobody.
    var isAwaited = false
    var isFinished = false

    mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
      isAwaited = false
      return waiting.take()
    }
  }

  /// A reader that rests for too long loses the oldest events; the numbers show it.
  public static let buffer = 4_096

  private let state = Mutex(State())

  public init() {}

  public func tell(_ event: LibraryEvent) {
    let waiting = state.withLock { state in
      if state.pending.count >= 2 * Self.buffer { state.pending.removeFirst(Self.buffer) }
      state.pending.append(event)
      return state.isAwaited ? state.takeWaiting() : nil
    }
    waiting?.resume()
  }

  /// Nothing is told any more.
  public func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      return state.takeWaiting()
    }
    waiting?.resume()
  }

  /// Everything since the last call, at least one event; nil when there is nothing (more): after
  /// `finish()`, or in a cancelled task. One call at a time.
  public func next() async -> [LibraryEvent]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if !wait(with: continuation) { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeWaiting() }?.resume()
    }
    return take()
  }

  /// False if there is nothing to wait for.
  private func wait(with continuation: CheckedContinuation<Void, Never>) -> Bool {
    state.withLock { state in
      guard state.pending.isEmpty, !state.isFinished, !Task.isCancelled else { return false }
      state.waiting = continuation
      state.isAwaited = true
      return true
    }
  }

  private func take() -> [LibraryEvent]? {
    state.withLock { state in
      guard !state.pending.isEmpty else { return nil }
      let taken = state.pending
      state.pending = []
      // About as many come until the next time.
      state.pending.reserveCapacity(taken.count)
      return taken
    }
  }
}

extension LibraryService {
  /// `eventStream()` for a reader who does not need each event at once.
  public func eventFeed() async -> EventFeed {
    let feed = EventFeed()
    let events = await eventStream()
    Task.detached { [weak feed] in
      for await event in events {
        guard let feed else { return }
        feed.tell(event)
      }
      feed?.finish()
    }
    return feed
  }
}
