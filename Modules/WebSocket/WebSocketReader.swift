/// Reads the messages of a client from the bytes that follow the handshake (RFC 6455 §5).
///
/// A pure state machine: the caller passes bytes to `receive`, then calls `next` until it returns nil. The
/// memory is bounded by the message limit and by the bytes of the last `receive`. Extensions are not
/// supported, so reserved bits are refused.
public struct WebSocketReader: Sendable {
  public enum Event: Sendable, Equatable {
    /// A whole text message, whose fragments have been joined.
    case text(String)
    /// The client expects a pong with the same payload.
    case ping([UInt8])
    case pong([UInt8])
    /// The client closes the connection; nil if its frame contains no code. No event follows.
    case close(CloseCode?)
  }

  /// The maximum size of a message in bytes: 2 MiB, as in aria2 (`rpc-max-request-size`).
  public static let standardLimit = 2 << 20

  private let limit: Int
  private var unread: ArraySlice<UInt8> = []
  /// The header of the frame whose payload is being read.
  private var header: FrameHeader?
  /// The number of payload bytes of the current frame that have been read.
  private var consumed: UInt64 = 0
  /// The payload of the current control frame.
  private var control: [UInt8] = []
  /// The payload of the current message; nil between two messages.
  private var message: [UInt8]?
  private var isOver = false

  /// - Parameter limit: The maximum size of a message in bytes.
  public init(limit: Int = WebSocketReader.standardLimit) { self.limit = limit }

  /// Appends bytes of the connection; ignores them after the close frame and after an error.
  public mutating func receive(_ bytes: [UInt8]) {
    guard !isOver else { return }
    unread = unread.isEmpty ? bytes[...] : unread + bytes
  }

  /// Returns the next event, or nil if more bytes are needed. Amortised O(bytes received).
  /// - Throws: The reason for closing the connection; later calls return nil.
  public mutating func next() throws(WebSocketError) -> Event? {
    do throws(WebSocketError) {
      while !isOver {
        if header == nil { header = try beginFrame() }
        guard let header else { return nil }
        guard readPayload(of: header) else { return nil }
        self.header = nil
        if let event = try endFrame(header) { return event }
      }
      return nil
    } catch {
      end()
      throw error
    }
  }

  private mutating func end() {
    isOver = true
    unread = []
    message = nil
    control = []
  }

  private mutating func beginFrame() throws(WebSocketError) -> FrameHeader? {
    guard let (header, size) = try FrameHeader.parse(unread) else { return nil }
    unread = unread.dropFirst(size)
    if !header.opcode.isControl { try beginFragment(header) }
    consumed = 0
    return header
  }

  private mutating func beginFragment(_ header: FrameHeader) throws(WebSocketError) {
    switch header.opcode {
    case .binary:
      throw WebSocketError(.unsupportedData, "binary messages are not supported")
    case .text where message != nil:
      throw .violation("a message begins before the previous one has ended")
    case .continuation where message == nil:
      throw .violation("a fragment continues no message")
    default: break
    }
    let size = message?.count ?? 0
    guard header.length <= UInt64(max(0, limit - size)) else {
      throw WebSocketError(.messageTooBig, "a message is longer than \(limit) bytes")
    }
    if message == nil { message = [] }
  }

  /// Reads payload bytes of the current frame.
  /// - Returns: Whether the payload is complete.
  private mutating func readPayload(of header: FrameHeader) -> Bool {
    let count = Int(min(UInt64(unread.count), header.length - consumed))
    let start = consumed
    let plain = unread.prefix(count).enumerated().map { offset, byte in
      byte ^ header.maskByte(at: start &+ UInt64(offset))
    }
    if header.opcode.isControl { control += plain } else { message? += plain }
    unread = unread.dropFirst(count)
    consumed += UInt64(count)
    return consumed == header.length
  }

  private mutating func endFrame(_ header: FrameHeader) throws(WebSocketError) -> Event? {
    guard header.opcode.isControl else {
      guard header.isFinal, let payload = message else { return nil }
      message = nil
      guard let text = String(validating: payload, as: UTF8.self) else {
        throw WebSocketError(.invalidPayload, "a text message is not UTF-8")
      }
      return .text(text)
    }
    let payload = control
    control = []
    switch header.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    default:
      let code = try Self.closeCode(payload)
      end()
      return .close(code)
    }
  }

  /// Parses the payload of a close frame (RFC 6455 §5.5.1).
  private static func closeCode(_ payload: [UInt8]) throws(WebSocketError) -> CloseCode? {
    if payload.isEmpty { return nil }
    guard payload.count >= 2,
      let code = CloseCode(received: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    else { throw .violation("the code of a close frame is not valid") }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      throw WebSocketError(.invalidPayload, "the reason of a close frame is not UTF-8")
    }
    return code
  }
}
