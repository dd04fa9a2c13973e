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

  /// Registers a WebSocket.
  /// - Parameters:
  ///   - isGranted: Whether its calls need no token.
  ///   - wake: Called when a notification waits for the socket.
  func connect(
    _ id: SocketLoop.SocketID, isGranted: Bool, wake: @escaping @Sendable () -> Void
  ) {
    sockets.add(id, isGranted: isGranted, wake: wake)
  }

  func disconnect(_ id: SocketLoop.SocketID) { sockets.remove(id) }

  /// Returns the frames of the notifications for a socket since the last call; nil if the socket has read too slowly and must
  /// be closed.
  func takeNotifications(for id: SocketLoop.SocketID) -> [UInt8]? { sockets.take(id) }
}
