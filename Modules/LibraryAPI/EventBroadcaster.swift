/// Sends the events of a library to all of its subscribers, in order. It belongs to the isolation of its owner.
///
/// An event is in the feeds and streams when `send` returns, so that nothing is lost if the owner ends next.
public struct EventBroadcaster {
  private var streams: [Int: AsyncStream<LibraryEvent>.Continuation] = [:]
  private var feeds: [WeakFeed] = []
  private var nextNumber = 0
  private var isFinished = false

  private struct WeakFeed {
    weak var feed: EventFeed?
  }

  public init() {}

  public func send(_ event: LibraryEvent) {
    for stream in streams.values { stream.yield(event) }
    for entry in feeds { entry.feed?.send(event) }
  }

  /// Returns a feed of the events from now on. It ends with `finish()` or when its reader releases it.
  public mutating func feed() -> EventFeed {
    let feed = EventFeed()
    feeds.removeAll { $0.feed == nil }
    if isFinished { feed.finish() } else { feeds.append(WeakFeed(feed: feed)) }
    return feed
  }

  /// Returns a stream of the events from now on. A slow reader loses the oldest events, which leaves a gap in
  /// `seq`.
  /// - Parameters:
  ///   - buffer: The number of events that wait for a slow reader.
  ///   - onEnd: Called with the number for `remove`, on any thread, once the reader has ended the stream.
  public mutating func subscribe(
    buffer: Int = EventFeed.minimumKeptEvents, onEnd: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<LibraryEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LibraryEvent.self, bufferingPolicy: .bufferingNewest(buffer))
    guard !isFinished else {
      continuation.finish()
      return stream
    }
    let number = nextNumber
    nextNumber += 1
    continuation.onTermination = { _ in onEnd(number) }
    streams[number] = continuation
    return stream
  }

  public mutating func remove(_ number: Int) { streams[number] = nil }

  /// Ends all feeds and streams, and those that are requested later.
  public mutating func finish() {
    isFinished = true
    for stream in streams.values { stream.finish() }
    streams = [:]
    for entry in feeds { entry.feed?.finish() }
    feeds = []
  }
}
