import LibraryAPI
import SystemCalls
import WebSocket

/// The WebSockets of the aria2 interface, with the notifications that wait to be sent.
///
/// Only sockets that were authorised once receive notifications, in contrast to aria2, which sends them to
/// every program that connects.
struct Aria2Sockets: Sendable {
  private struct Socket: Sendable {
    /// Whether calls need no token, because the handshake contained the secret.
    let isGranted: Bool
    var isAuthorised: Bool
    /// The frames that wait.
    var pending: [UInt8] = []
    /// Whether notifications were dropped, because the socket has read too slowly.
    var hasLost = false
    let wake: @Sendable () -> Void

    mutating func append(_ frame: [UInt8]) {
      guard isAuthorised else { return }
      // A socket with frames has been woken already.
      if pending.isEmpty { wake() }
      if pending.count + frame.count <= Aria2Sockets.pendingLimit {
        pending += frame
      } else {
        hasLost = true
      }
    }
  }

  /// The maximum number of bytes that wait for one socket: room for a notification of each download that the
  /// interface can have, which one call may cause.
  static let pendingLimit = 16 << 20

  private var sockets: [SocketLoop.SocketID: Socket] = [:]

  mutating func add(
    _ id: SocketLoop.SocketID, isGranted: Bool, wake: @escaping @Sendable () -> Void
  ) {
    sockets[id] = Socket(isGranted: isGranted, isAuthorised: isGranted, wake: wake)
  }

  mutating func authorise(_ id: SocketLoop.SocketID) { sockets[id]?.isAuthorised = true }

  func isGranted(_ id: SocketLoop.SocketID) -> Bool { sockets[id]?.isGranted ?? false }

  func isAuthorised(_ id: SocketLoop.SocketID) -> Bool { sockets[id]?.isAuthorised ?? false }

  mutating func remove(_ id: SocketLoop.SocketID) { sockets[id] = nil }

  /// Adds a message for every authorised socket.
  mutating func send(_ message: [UInt8]) {
    let frame = WebSocketFrame.text(message)
    for id in Array(sockets.keys) { sockets[id]?.append(frame) }
  }

  /// Removes and returns the frames for a socket; nil if some were dropped.
  mutating func take(_ id: SocketLoop.SocketID) -> [UInt8]? {
    guard let socket = sockets[id] else { return [] }
    sockets[id]?.pending = []
    return socket.hasLost ? nil : socket.pending
  }
}
