import CLinux
import Glibc
import Models

/// An address and port to connect to.
struct SocketAddress: Hashable, Sendable {
  let ip: IPAddress
  let port: Int
  /// The scope (interface index) of a link-local IPv6 address; 0 for other addresses.
  let scope: UInt32

  init(ip: IPAddress, port: Int, scope: UInt32 = 0) {
    self.ip = ip
    self.port = port
    self.scope = scope
  }

  var familyCode: Int32 { ip.family == .v4 ? AF_INET : AF_INET6 }

  func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    let networkPort = in_port_t(truncatingIfNeeded: port).bigEndian
    switch ip.family {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = networkPort
      address.sin_addr.s_addr = UInt32(truncatingIfNeeded: ip.bits).bigEndian
      return Self.rebound(&address, body)
    case .v6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = networkPort
      address.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: ip.bytes) }
      return Self.rebound(&address, body)
    }
  }

  private static func rebound<Address, Result>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
