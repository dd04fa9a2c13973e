import LibraryAPI

/// Numbers events and gives them to every subscriber. Part of the engine's isolation.
struct EventLog {
  /// Of the last event; 0: there was none.
  private(set) var seq: UInt64 = 0
  private var subscribers: [Int: AsyncStream<LibraryEvent>.Continuation] = [:]
  private var feeds: [Weak] = []
  private var nextSubscriber = 0
  private var isFinished = false

  private struct Weak {
    weak var feed: EventFeed?
  }

  /// A slow subscriber loses the oldest events; the numbers show it.
  static let buffer = 4_096

  mutating func emit(_ kind: LibraryEvent.Kind) {
    seq += 1
    let event = LibraryEvent(seq: seq, kind: kind)
    if !subscribers.isEmpty { for subscriber in subscribers.values { subscriber.yield(event) } }
    for index in feeds.indices { feeds[index].feed?.tell(event) }
  }

  mutating func feed() -> EventFeed {
    let feed = EventFeed()
    feeds.removeAll { $0.feed == nil }
    feeds.append(Weak(feed: feed))
    if isFinished { feed.finish() }
    return feed
  }

  mutating func subscribe(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<LibraryEvent> {
    let number = nextSubscriber
    nextSubscriber += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: LibraryEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    if isFinished {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { _ in onEnd(number) }
    subscribers[number] = continuation
    return stream
  }

  mutating func remove(_ number: Int) { subscribers[number] = nil }

  mutating func finish() {
    isFinished = true
    for subscriber in subscribers.values { subscriber.finish() }
    subscribers = [:]
    for entry in feeds { entry.feed?.finish() }
    feeds = []
  }
}
