/// A ring buffer of the last events, in order and without gaps, from which a reader that reconnects soon
/// continues. An event is encoded when it is first read.
struct EventRing<Element: Sendable>: Sendable {
  enum ReadResult: Equatable, Sendable {
    /// The encoded events after a number, up to the requested size, and the number of the last one returned.
    case bytes([UInt8], upTo: UInt64)
    case nothing
    /// The ring no longer has the events that follow the reader's position.
    case overwritten
  }

  private struct Entry {
    /// The event before it is encoded; nil afterwards.
    var event: Element?
    var bytes: [UInt8] = []
    /// The estimated encoded size in bytes, which counts against `byteLimit`.
    let size: Int
  }

  private let countLimit: Int
  private let byteLimit: Int
  private let encode: @Sendable (Element) -> [UInt8]
  private var events: [Entry] = []
  /// The index in `events` of the oldest event that is kept.
  private var first = 0
  private var byteCount = 0
  /// The number of the newest event; nil before the first.
  private(set) var newest: UInt64?
  /// The number of the first event ever appended; nil before any was appended.
  private var beginning: UInt64?

  /// - Parameters:
  ///   - countLimit: The maximum number of events.
  ///   - byteLimit: The maximum total size in bytes; the newest event is always kept.
  ///   - encode: Encodes an event for the stream.
  init(countLimit: Int, byteLimit: Int, encode: @escaping @Sendable (Element) -> [UInt8]) {
    self.countLimit = countLimit
    self.byteLimit = byteLimit
    self.encode = encode
  }

  var count: Int { events.count - first }

  /// Appends an event, and drops the oldest ones beyond the limits.
  /// - Parameters:
  ///   - size: The estimated encoded size in bytes.
  ///   - seq: The number of the event. If it does not follow the newest one, the ring drops all earlier
  ///     events.
  mutating func append(_ event: Element, size: Int, seq: UInt64) {
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

  /// Returns the encoded events that follow a number.
  /// - Parameters:
  ///   - seq: The number of the last event that the reader has received; nil if it has received none.
  ///   - limit: The maximum number of bytes to return; one event is returned even if it is longer.
  mutating func read(after seq: UInt64?, limit: Int) -> ReadResult {
    guard let newest, let beginning else { return seq == nil ? .nothing : .overwritten }
    if seq == newest { return .nothing }
    // Clients choose the numbers, so the arithmetic must not overflow.
    let oldest = newest &- UInt64(count) &+ 1
    let next = seq.map { $0 &+ 1 } ?? beginning
    guard next >= oldest, next <= newest, seq.map({ $0 < newest }) ?? true else {
      return .overwritten
    }
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
