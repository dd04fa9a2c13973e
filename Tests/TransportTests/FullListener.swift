import Glibc
import SystemCalls

/// A port of the loopback interface that does not answer a connection attempt: its queue is full,
/// and the kernel drops what comes.
final class FullListener: Sendable {
  private let sockets: [OwnedDescriptor]
  let port: Int

  init() throws {
    let listener = OwnedDescriptor(
      socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try Self.check(Self.withAddress(&address) { bind(listener.raw, $0, size) }, "bind")
    try Self.check(listen(listener.raw, 0), "listen")
    try Self.check(
      Self.withAddress(&address) { getsockname(listener.raw, $0, &size) }, "name")
    port = Int(UInt16(bigEndian: address.sin_port))
    // One connection fills a queue of length 0; the next ones wait for ever.
    var all = [listener]
    for _ in 0..<4 {
      let type = Int32(
        SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let client = OwnedDescriptor(socket(AF_INET, type, 0))
      _ = Self.withAddress(&address) { connect(client.raw, $0, size) }
      all.append(client)
    }
    sockets = all
  }

  private static func withAddress(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }

  private static func check(_ result: Int32, _ call: String) throws(SystemError) {
    if result < 0 { throw .last(call) }
  }
}
