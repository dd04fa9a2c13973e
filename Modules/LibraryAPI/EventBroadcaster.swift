/// Sends the events of a library to all of its subscribers, in order. Used only in the isolation of its
/// owner.
///
/// When `send` returns, every feed and stream holds the event, so that the event is delivered even if the
/// owner ends immediately afterwards.
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

  /// Returns a feed of all later events. The feed ends with `finish()` or when its reader releases it.
  public mutating func feed() -> EventFeed {
    let feed = EventFeed()
    feeds.removeAll { $0.feed == nil }
    if isFinished { feed.finish() } else { feeds.append(WeakFeed(feed: feed)) }
    return feed
  }

  /// Returns a stream of all later events. A slow reader loses the oldest events, which leaves a gap in
  /// `seq`.
  /// - Parameters:
  ///   - buffer: The maximum number of events that are kept for a slow reader.
  ///   - onEnd: Called on any thread once the reader has ended the stream, with the number to pass to
  ///     `remove`.
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

  /// Ends all feeds and streams; feeds and streams that are requested later end at once.
  public mutating func finish() {
    isFinished = true
    for stream in streams.values { stream.finish() }
    streams = [:]
    for entry in feeds { entry.feed?.finish() }
    feeds = []
  }
}
