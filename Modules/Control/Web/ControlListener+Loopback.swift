import CLinux
import Glibc
import SystemCalls

extension ControlListener {
  /// The listeners of a TCP port on the loopback interface, one for each IP version.
  ///
  /// A browser may try `::1` first for a name below `localhost`. If this program listened on 127.0.0.1 only,
  /// another user's program could listen on `::1` and receive the browser's cookie.
  struct LoopbackPair: Sendable {
    let port: UInt16
    let listeners: [ControlListener]
  }

  /// Listens on 127.0.0.1 and, if the machine has IPv6, on `::1`. Connections of the library's user and of
  /// the superuser are accepted; each request is checked as well.
  /// - Parameter port: The port; nil means a port that is free for both IP versions.
  /// - Throws: `portInUse` if another program has the port, `socket` for other failures.
  static func loopback(_ port: UInt16?) throws(ControlError) -> LoopbackPair {
    // A port that is free for IPv4 may be taken for IPv6, so several ports are tried.
    for _ in 0..<16 {
      let socket = try listen(loopback: .v4, port ?? 0)
      let actual = imgdl_socket_port(socket.raw)
      var sockets = [socket]
      do throws(ControlError) {
        if hasIPv6 { sockets.append(try listen(loopback: .v6, actual)) }
      } catch {
        guard port == nil, error.code == .portInUse else { throw error }
        continue
      }
      return LoopbackPair(
        port: actual,
        listeners: sockets.map { ControlListener($0, .loopback, admits: Self.isTrusted) })
    }
    throw ControlError(.portInUse, "no port is free on the loopback interface")
  }

  /// Returns whether the peer of a connection may make requests, since another user could use a stolen
  /// cookie. If the kernel cannot tell the peer's user, the peer is admitted, and only the request checks
  /// protect the library.
  private static func isTrusted(_ connection: OwnedDescriptor) -> Bool {
    var user: UInt32 = 0
    return switch imgdl_tcp_peer_user(connection.raw, &user) {
    case 1: user == Machine.userID || user == 0
    case 0: false
    default: true
    }
  }

  private enum AddressFamily: Int32 {
    case v4 = 4
    case v6 = 6
  }

  private static var hasIPv6: Bool {
    let probe = Glibc.socket(
      AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { return false }
    let socket = OwnedDescriptor(probe)
    return imgdl_loopback_bind(socket.raw, AddressFamily.v6.rawValue, 0) == 0
  }

  private static func listen(
    loopback family: AddressFamily, _ port: UInt16
  ) throws(ControlError) -> OwnedDescriptor {
    do throws(SystemError) {
      let type =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let raw = Glibc.socket(family == .v4 ? AF_INET : AF_INET6, type, 0)
      guard raw >= 0 else { throw .last("open a socket") }
      let socket = OwnedDescriptor(raw)
      // Connections of an earlier run in the state TIME-WAIT do not prevent listening on the port.
      var yes: Int32 = 1
      setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      guard imgdl_loopback_bind(raw, family.rawValue, port) == 0,
        Glibc.listen(raw, queueLength) == 0
      else { throw .last("listen on port \(port)") }
      return socket
    } catch {
      guard error.errno == EADDRINUSE else { throw ControlError(.socket, error.description) }
      throw ControlError(.portInUse, "another program uses port \(port)")
    }
  }
}
