/// Parses server-sent events (HTML Standard §9.2.6) from a byte stream that may be split anywhere. Ignores
/// comments and unknown fields.
struct EventStreamReader: Sendable {
  struct Event: Sendable, Equatable {
    /// The event's type; `message` if the stream does not name one.
    var name = "message"
    var id: String?
    var data: [UInt8] = []
  }

  private let limit: Int
  private var line: [UInt8] = []
  private var event = Event()
  private var hasData = false
  private var followsReturn = false

  /// - Parameter limit: The maximum size of one event in bytes.
  init(limit: Int = 64 << 20) { self.limit = limit }

  /// Returns the events that are complete after these bytes.
  mutating func receive(_ bytes: [UInt8]) throws(ControlError) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      // A line ends in LF, CR, or CR LF.
      if byte == 0x0a, followsReturn {
        followsReturn = false
        continue
      }
      followsReturn = byte == 0x0d
      if byte == 0x0a || byte == 0x0d {
        if let event = endLine() { events.append(event) }
      } else {
        guard line.count + event.data.count < limit else {
          throw ControlError(.badBody, "an event is longer than \(limit) bytes")
        }
        line.append(byte)
      }
    }
    return events
  }

  /// Processes a complete line.
  /// - Returns: The event that ends with this line, if the line is empty and the event has data.
  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else {
      defer {
        event = Event()
        hasData = false
      }
      return hasData ? event : nil
    }
    let colon = line.firstIndex(of: 0x3a) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event.name = String(decoding: value, as: UTF8.self)
    case "id": event.id = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { event.data.append(0x0a) }
      event.data += value
      hasData = true
    default: break
    }
    return nil
  }
}
