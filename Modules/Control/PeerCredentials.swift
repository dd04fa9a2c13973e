import CLinux
import SystemCalls

/// Who is at the other end of a socket of the Unix domain.
struct PeerCredentials: Sendable, Hashable {
  let user: UInt32
  let processID: Int32

  init(user: UInt32, processID: Int32) {
    self.user = user
    self.processID = processID
  }

  /// As of the connect, or of the listen on the other side; nil for another kind of socket.
  init?(_ socket: OwnedDescriptor) {
    var user: UInt32 = 0
    var process: Int32 = 0
    guard imgdl_peer(socket.raw, &user, &process) == 0 else { return nil }
    self.init(user: user, processID: process)
  }

  /// Another user is refused, the superuser too: a path that he names would be read by us.
  func isSame(as own: UInt32) -> Bool { user == own }
}
