/// The last events in order and without a gap: whoever was away for a short time reads on where it
/// stopped. An event is encoded when somebody reads it for the first time.
struct EventRing<Event: Sendable>: Sendable {
  enum Reading: Equatable, Sendable {
    /// Events after a number, as many as fit, and the number of the last one.
    case bytes([UInt8], upTo: UInt64)
    case nothing
    /// The ring has continued: events are missing in between.
    case lost
  }

  private struct Entry {
    /// nil when it is encoded.
    var event: Event?
    var bytes: [UInt8] = []
    /// What it is counted as.
    let size: Int
  }

  private let countLimit: Int
  private let byteLimit: Int
  private let encode: @Sendable (Event) -> [UInt8]
  private var events: [Entry] = []
  /// Of `events`, those before this one are gone already.
  private var first = 0
  private var byteCount = 0
  /// The number of the newest event; nil before the first.
  private(set) var newest: UInt64?
  /// The number of the first event that ever came.
  private var beginning: UInt64?

  /// - Parameters:
  ///   - countLimit: events that are kept.
  ///   - byteLimit: bytes that they may have together; the newest one is always kept.
  ///   - encode: how an event goes out.
  init(countLimit: Int, byteLimit: Int, encode: @escaping @Sendable (Event) -> [UInt8]) {
    self.countLimit = countLimit
    self.byteLimit = byteLimit
    self.encode = encode
  }

  var count: Int { events.count - first }

  /// - Parameters:
  ///   - size: about how many bytes it will be.
  ///   - seq: rises by one; otherwise what was there is forgotten, for it does not join.
  mutating func append(_ event: Event, size: Int, seq: UInt64) {
    if let newest, newest &+ 1 != seq {
      events = []
      first = 0
      byteCount = 0
    }
    events.append(Entry(event: event, size: size))
    byteCount += size
    newest = seq
    beginning = beginning ?? seq
    while count > countLimit || (byteCount > byteLimit && count > 1) {
      byteCount -= events[first].size
      events[first] = Entry(size: 0)
      first += 1
    }
    if first > countLimit {
      events.removeFirst(first)
      first = 0
    }
  }

  /// - Parameters:
  ///   - seq: the last event that the reader knows; nil if it knows none because none had come.
  ///   - limit: bytes; one event is given however long it is.
  mutating func read(after seq: UInt64?, limit: Int) -> Reading {
    guard let newest, let beginning else { return seq == nil ? .nothing : .lost }
    if seq == newest { return .nothing }
    // Numbers come from clients: nothing here may overflow.
    let oldest = newest &- UInt64(count) &+ 1
    let next = seq.map { $0 &+ 1 } ?? beginning
    guard next >= oldest, next <= newest, seq.map({ $0 < newest }) ?? true else { return .lost }
    var output: [UInt8] = []
    var index = first + Int(next - oldest)
    while index < events.count {
      let bytes = encoded(index)
      guard output.isEmpty || output.count + bytes.count <= limit else { break }
      output += bytes
      index += 1
    }
    return .bytes(output, upTo: newest - UInt64(events.count - index))
  }

  private mutating func encoded(_ index: Int) -> [UInt8] {
    if let event = events[index].event {
      events[index].bytes = encode(event)
      events[index].event = nil
    }
    return events[index].bytes
  }
}
