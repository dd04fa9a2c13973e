import Glibc
import SystemCalls

/// A port on loopback whose queue of connections is full: the kernel no longer accepts connections.
package final class SilentListener: Sendable {
  private let listener: OwnedDescriptor
  private let clients: [OwnedDescriptor]
  package let url: String

  package init() throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = OwnedDescriptor(socket(AF_INET, type, 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var clients: [OwnedDescriptor] = []
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let bound =
          bind(listener.raw, address, length) | listen(listener.raw, 0)
          | getsockname(listener.raw, address, &length)
        for _ in 0..<4 {
          let nonblocking = type | Int32(SOCK_NONBLOCK.rawValue)
          let client = OwnedDescriptor(socket(AF_INET, nonblocking, 0))
          _ = connect(client.raw, address, length)
          clients.append(client)
        }
        return bound
      }
    }
    guard result == 0 else { throw SystemError.last("listen") }
    self.listener = listener
    self.clients = clients
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
  }
}
