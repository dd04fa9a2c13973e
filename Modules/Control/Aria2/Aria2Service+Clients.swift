/// The clients of the service.
extension Aria2Service {
  /// The sender of a message.
  enum Client: Sendable {
    /// A request, with the token of its `Authorization` field.
    case request(bearer: String?)
    case socket(SocketLoop.SocketID)
  }

  /// The answer to the handshake of a WebSocket.
  enum Admission: Sendable {
    /// The handshake contains the secret, or there is none.
    case granted
    /// Each call needs the secret.
    case open
    /// The handshake contains a wrong secret.
    case refused
    /// Too many clients without the secret are waiting.
    case busy
  }
}
