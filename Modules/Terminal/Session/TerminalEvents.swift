import Synchronization

/// A sequence of batches of user input. A batch holds all events since the previous one and is never empty.
/// The sequence ends when the session or the terminal is closed. Supports one reader.
public struct TerminalEvents: AsyncSequence, Sendable {
  public typealias Element = [InputEvent]
  public typealias Failure = Never

  let queue: EventQueue

  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue
    private var wakes: AsyncStream<Void>.Iterator

    fileprivate init(queue: EventQueue) {
      self.queue = queue
      wakes = queue.wakes.makeAsyncIterator()
    }

    public mutating func next() async -> [InputEvent]? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> [InputEvent]? {
      while true {
        let batch = queue.drain()
        if !batch.isEmpty { return batch }
        guard await wakes.next(isolation: actor) != nil else {
          let rest = queue.drain()
          return rest.isEmpty ? nil : rest
        }
      }
    }
  }
}

/// A queue of events that wait for the reader.
final class EventQueue: Sendable {
  /// The largest number of events in the queue, more than a user creates in a minute; beyond it, the oldest
  /// ones are dropped.
  private static let limit = 10_000

  private let events = Mutex<[InputEvent]>([])
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation

  init() {
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func append(_ new: [InputEvent]) {
    guard !new.isEmpty else { return }
    events.withLock { events in
      for event in new {
        if Self.replaces(event, events.last) { events.removeLast() }
        events.append(event)
      }
      if events.count > Self.limit { events.removeFirst(events.count - Self.limit) }
    }
    waker.yield()
  }

  /// Returns whether an event makes the event before it obsolete: only the newest position of the mouse and
  /// the newest size matter.
  private static func replaces(_ event: InputEvent, _ last: InputEvent?) -> Bool {
    switch (event, last) {
    case (.mouse(let new), .mouse(let old)):
      switch new.action {
      case .drag, .move: new.action == old.action && new.modifiers == old.modifiers
      default: false
      }
    case (.resize, .resize): true
    default: false
    }
  }

  @inline(never)
  func drain() -> [InputEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  func finish() { waker.finish() }
}
