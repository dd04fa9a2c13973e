/// Frames as bytes, the legal and the illegal ones (RFC 9113 §4, §6).
enum HTTP2Frame {
  enum Kind: UInt8 {
    case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  static let endStream: UInt8 = 1
  static let endHeaders: UInt8 = 4

  static func frame(
    _ kind: Kind, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let count = UInt32(payload.count)
    return [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
      + [kind.rawValue, flags] + word(UInt32(bitPattern: stream)) + payload
  }

  static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(value >> (24 - 8 * UInt32($0)) & 255) }
  }

  static func settings(_ values: [(UInt16, UInt32)] = []) -> [UInt8] {
    frame(.settings, values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + word($0.1) })
  }

  static let settingsAcknowledged = frame(.settings, flags: 1)

  /// `:status` and `fields`, as literals that no table keeps (RFC 7541 §6.2.2).
  static func head(
    _ stream: Int32, status: String? = "200", _ fields: [(String, String)] = [],
    ends: Bool = false
  ) -> [UInt8] {
    let all = (status.map { [(":status", $0)] } ?? []) + fields
    return frame(
      .headers, flags: endHeaders | (ends ? endStream : 0), stream: stream,
      all.flatMap { literal($0.0, $0.1) })
  }

  static func data(_ stream: Int32, _ bytes: [UInt8], ends: Bool = false) -> [UInt8] {
    frame(.data, flags: ends ? endStream : 0, stream: stream, bytes)
  }

  static func data(_ stream: Int32, _ text: String, ends: Bool = false) -> [UInt8] {
    data(stream, Array(text.utf8), ends: ends)
  }

  /// A whole response; large bodies in frames of 16 KiB.
  static func response(_ stream: Int32, _ body: [UInt8]) -> [UInt8] {
    guard !body.isEmpty else { return head(stream, ends: true) }
    var result = head(stream)
    for start in stride(from: 0, to: body.count, by: 16_384) {
      let end = min(body.count, start + 16_384)
      result += data(stream, Array(body[start..<end]), ends: end == body.count)
    }
    return result
  }

  static func response(_ stream: Int32, _ text: String) -> [UInt8] {
    response(stream, Array(text.utf8))
  }

  static func reset(_ stream: Int32, _ code: UInt32) -> [UInt8] {
    frame(.reset, stream: stream, word(code))
  }

  static func goAway(last: Int32, _ code: UInt32 = 0) -> [UInt8] {
    frame(.goAway, word(UInt32(bitPattern: last)) + word(code))
  }

  static let ping = frame(.ping, Array(repeating: 7, count: 8))

  static func literal(_ name: String, _ value: String) -> [UInt8] {
    [0] + text(name) + text(value)
  }

  private static func text(_ text: String) -> [UInt8] {
    var length = text.utf8.count
    guard length >= 127 else { return [UInt8(length)] + Array(text.utf8) }
    var result: [UInt8] = [127]
    length -= 127
    while length >= 128 {
      result.append(UInt8(length & 127 | 128))
      length >>= 7
    }
    return result + [UInt8(length)] + Array(text.utf8)
  }
}

/// Cuts bytes into frames.
struct HTTP2FrameReader {
  struct Frame {
    let kind: UInt8
    let flags: UInt8
    let stream: Int32
    let payload: [UInt8]

    func isKind(_ other: HTTP2Frame.Kind) -> Bool { kind == other.rawValue }

    /// The number at the payload's beginning: an error code, an increment.
    var word: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private var unread: [UInt8] = []

  mutating func add(_ bytes: some Sequence<UInt8>) { unread += bytes }

  /// Nil if the next frame is not there as a whole.
  mutating func next() -> Frame? {
    guard unread.count >= 9 else { return nil }
    let length = unread[0..<3].reduce(0) { $0 << 8 | Int($1) }
    guard unread.count >= 9 + length else { return nil }
    let stream = unread[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let frame = Frame(
      kind: unread[3], flags: unread[4], stream: Int32(bitPattern: stream & 0x7fff_ffff),
      payload: Array(unread[9..<(9 + length)]))
    unread.removeFirst(9 + length)
    return frame
  }

  /// Drops what a client says first, if it does; nil if that is not there as a whole.
  mutating func takePreface() -> Bool? {
    let preface = HTTP2Frame.preface
    guard unread.count >= preface.count else {
      return preface.starts(with: unread) ? nil : false
    }
    guard unread.starts(with: preface) else { return false }
    unread.removeFirst(preface.count)
    return true
  }
}
