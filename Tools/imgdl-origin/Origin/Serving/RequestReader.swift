public import HTTP1

/// A request as it came.
public struct ReceivedRequest: Sendable {
  /// From 0, in the order of acceptance.
  public let connection: Int
  /// From 0, in the order on its connection.
  public let index: Int
  /// Head and body, byte by byte.
  public let bytes: [UInt8]
  /// `nil` if the bytes are no request; `error` says why.
  public let head: RequestHeadMessage?
  public let body: [UInt8]
  public let error: HTTPParseError?
  /// Whether the client expects another response on the same connection.
  public let allowsReuse: Bool
}

/// Reads requests from a connection, one after the other.
struct RequestReader {
  private let connection: Connection
  private var buffer: [UInt8] = []
  private var index = 0

  init(_ connection: Connection) { self.connection = connection }

  /// The next request, good or bad; `nil` if the client has ended the connection before one.
  mutating func next() -> ReceivedRequest? {
    var parser = RequestParser()
    var bytes: [UInt8] = []
    var body: [UInt8] = []
    var head: RequestHeadMessage?
    var failure: HTTPParseError?
    do throws(HTTPParseError) {
      reading: while true {
        let (consumed, step) = try parser.parse(buffer.span.bytes)
        if case .body(let range) = step { body += buffer[range] }
        if case .head(let message) = step { head = message }
        bytes += buffer[..<consumed]
        buffer.removeFirst(consumed)
        switch step {
        case .end: break reading
        case .head, .body: break
        case .needInput:
          if connection.receive(into: &buffer) { continue }
          if bytes.isEmpty && buffer.isEmpty { return nil }
          try parser.finishInput()
        }
      }
    } catch {
      failure = error
      bytes += buffer
      buffer = []
      head = nil
    }
    defer { index += 1 }
    return ReceivedRequest(
      connection: connection.index, index: index, bytes: bytes, head: head, body: body,
      error: failure, allowsReuse: parser.allowsReuse)
  }
}
