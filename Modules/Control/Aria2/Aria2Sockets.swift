/// The WebSockets of the aria2 interface, with the notifications that wait to be sent.
///
/// Only sockets that were authorised once receive notifications, in contrast to aria2, which sends them to
/// every program that connects.
struct Aria2Sockets: Sendable {
  private struct Socket: Sendable {
    var isAuthorised: Bool
    var pending: [[UInt8]] = []
    /// Whether notifications were dropped, because the socket has read too slowly.
    var hasLost = false
    let wake: @Sendable () -> Void
  }

  /// The maximum number of notifications that wait for one socket.
  static let pendingLimit = 1_000

  private var sockets: [SocketLoop.SocketID: Socket] = [:]

  mutating func add(
    _ id: SocketLoop.SocketID, isAuthorised: Bool, wake: @escaping @Sendable () -> Void
  ) {
    sockets[id] = Socket(isAuthorised: isAuthorised, wake: wake)
  }

  mutating func authorise(_ id: SocketLoop.SocketID) { sockets[id]?.isAuthorised = true }

  mutating func remove(_ id: SocketLoop.SocketID) { sockets[id] = nil }

  /// Adds a message for every authorised socket.
  mutating func send(_ message: [UInt8]) {
    for (id, socket) in sockets where socket.isAuthorised {
      if socket.pending.count < Self.pendingLimit {
        sockets[id]?.pending.append(message)
      } else {
        sockets[id]?.hasLost = true
      }
      socket.wake()
    }
  }

  /// Removes and returns the messages for a socket; nil if some were dropped.
  mutating func take(_ id: SocketLoop.SocketID) -> [[UInt8]]? {
    guard let socket = sockets[id] else { return [] }
    sockets[id]?.pending = []
    return socket.hasLost ? nil : socket.pending
  }
}
