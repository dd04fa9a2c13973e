/// The reason why the bytes of a client cannot be read any further. The server sends `code` in a close frame
/// and closes the connection (RFC 6455 §7.1.7).
public struct WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
  public let code: CloseCode
  /// One sentence about the cause, without text of the client; at most 123 bytes, so that a close frame has
  /// room for it.
  public let description: String

  init(_ code: CloseCode, _ description: String) {
    self.code = code
    self.description = description
  }

  static func violation(_ description: String) -> WebSocketError {
    WebSocketError(.protocolError, description)
  }
}
