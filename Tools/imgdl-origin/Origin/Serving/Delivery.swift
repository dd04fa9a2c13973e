import HTTP1
import Models

/// Sends a reply over one connection, as fast and as well as the configuration allows.
struct Delivery {
  /// What happens to the connection afterwards.
  enum Ending { case keep, finish, reset, stall }

  /// Files up to this size go out in one call together with their header section.
  private static let inlineLimit: Int64 = 65_536

  private let connection: Connection
  private let rate: Int?
  private let slowHeaderInterval: Int
  /// Bytes of body that were sent.
  private(set) var sent: Int64 = 0
  /// Whether everything announced was sent.
  private(set) var isComplete = false

  init(_ connection: Connection, rate: Int?, slowHeaderInterval: Duration) {
    self.connection = connection
    self.rate = rate
    self.slowHeaderInterval = Int(slowHeaderInterval.milliseconds)
  }

  /// - Parameter includesBody: `false` for HEAD.
  mutating func send(
    _ head: [UInt8], _ body: Reply.Body, includesBody: Bool, _ fate: FaultPlan.Fate
  ) -> Ending {
    let length = includesBody ? body.count : 0
    switch fate.fault {
    case .reset:
      sendPart(head, body, length, fate.fraction)
      return .reset
    case .truncate:
      sendPart(head, body, length, fate.fraction)
      return .finish
    case .stall:
      sendPart(head, body, length, fate.fraction)
      return .stall
    case .halfHeader:
      _ = connection.send(head.prefix(Self.cut(Int64(head.count), fate.fraction)))
      return .finish
    case .badChunk where includesBody:
      sendBrokenChunks(head, body, fate.fraction)
      return .finish
    case .slowHeader:
      guard sendSlowly(head) else { return .finish }
      sendBody(body, length)
    default:
      sendAll(head, body, length)
    }
    isComplete = sent == length
    return isComplete ? .keep : .finish
  }

  /// Where to cut `count` bytes so that at least one is sent and one is missing, if there are two.
  private static func cut(_ count: Int64, _ fraction: Double) -> Int {
    max(1, min(Int(Double(count) * fraction), Int(count) - 1))
  }

  private mutating func sendAll(_ head: [UInt8], _ body: Reply.Body, _ length: Int64) {
    if rate == nil, length <= Self.inlineLimit {
      let content = Self.read(body, length)
      if connection.send(head + content) { sent = Int64(content.count) }
    } else if connection.send(head, more: length > 0) {
      sendBody(body, length)
    }
  }

  private mutating func sendPart(
    _ head: [UInt8], _ body: Reply.Body, _ length: Int64, _ fraction: Double
  ) {
    guard length > 1 else {
      _ = connection.send(head.prefix(Self.cut(Int64(head.count), fraction)))
      return
    }
    if connection.send(head) { sendBody(body, Int64(Self.cut(length, fraction))) }
  }

  private mutating func sendBody(_ body: Reply.Body, _ length: Int64) {
    guard let rate else {
      sent += sendSlice(body, from: 0, length)
      return
    }
    let start = Moment.now.monotonic
    let slice = Int64(max(1, min(65_536, rate / 50)))
    var offset: Int64 = 0
    while offset < length {
      let size = min(slice, length - offset)
      let count = sendSlice(body, from: offset, size)
      sent += count
      offset += count
      let due = start + Double(offset) * 1_000 / Double(max(1, rate))
      let wait = Int((due - Moment.now.monotonic).rounded(.up))
      if count < size || (wait > 0 && connection.stop.wait(milliseconds: wait)) { return }
    }
  }

  private func sendSlice(_ body: Reply.Body, from offset: Int64, _ length: Int64) -> Int64 {
    switch body {
    case .bytes(let bytes):
      let slice = bytes[Int(offset)..<Int(offset + length)]
      return connection.send(slice) ? length : 0
    case .file(let file, let range):
      return connection.send(file.descriptor, offset: range.lowerBound + offset, length: length)
    }
  }

  private static func read(_ body: Reply.Body, _ length: Int64) -> [UInt8] {
    guard length > 0 else { return [] }
    switch body {
    case .bytes(let bytes): return bytes
    case .file(let file, let range): return file.read(range.lowerBound..<range.lowerBound + length)
    }
  }

  private func sendSlowly(_ head: [UInt8]) -> Bool {
    head.allSatisfy { byte in
      !connection.stop.wait(milliseconds: slowHeaderInterval) && connection.send([byte])
    }
  }

  /// One good chunk, then a size that is none.
  private mutating func sendBrokenChunks(
    _ head: [UInt8], _ body: Reply.Body, _ fraction: Double
  ) {
    let count = body.count > 1 ? min(Self.cut(body.count, fraction), 65_536) : 0
    let data = Self.read(body, Int64(count)).prefix(count)
    let size = String(data.count, radix: 16)
    let good = data.isEmpty ? [] : Array("\(size)\r\n".utf8) + data + Array("\r\n".utf8)
    if connection.send(head + good + Array("zz\r\n".utf8)) { sent = Int64(data.count) }
  }
}
