import LibraryAPI

/// Numbers events and sends them to all subscribers. Part of the engine's isolation.
struct EventLog {
  /// The sequence number of the last event, or 0 before the first.
  private(set) var seq: UInt64 = 0
  private var broadcaster = EventBroadcaster()

  mutating func emit(_ kind: LibraryEvent.Kind) {
    seq += 1
    broadcaster.send(LibraryEvent(seq: seq, kind: kind))
  }

  mutating func feed() -> EventFeed { broadcaster.feed() }

  mutating func subscribe(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<LibraryEvent> {
    broadcaster.subscribe(onEnd: onEnd)
  }

  mutating func remove(_ number: Int) { broadcaster.remove(number) }

  mutating func endStreams() { broadcaster.finish() }
}
