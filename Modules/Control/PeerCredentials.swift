import CLinux
import SystemCalls

/// The credentials of the peer of a Unix domain socket.
struct PeerCredentials: Sendable, Hashable {
  let user: UInt32
  let processID: Int32

  init(user: UInt32, processID: Int32) {
    self.user = user
    self.processID = processID
  }

  /// Reads the credentials that the kernel recorded when the peer connected or began to listen; nil if the
  /// socket is not a Unix domain socket.
  init?(_ socket: OwnedDescriptor) {
    var user: UInt32 = 0
    var process: Int32 = 0
    guard imgdl_peer(socket.raw, &user, &process) == 0 else { return nil }
    self.init(user: user, processID: process)
  }

  /// Whether the peer runs as the given user. Every other user is refused, including the superuser, because
  /// this process reads the files that a request names.
  func isSame(as own: UInt32) -> Bool { user == own }
}
