import CLinux
import Glibc

/// An address of this machine's loopback interface. The server is for tests: it is not offered to
/// the network.
struct LoopbackAddress {
  private enum Family {
    case v4(sockaddr_in)
    case v6(sockaddr_in6)
  }

  private let text: String
  private let family: Family

  init(_ text: String, port: UInt16) throws(OriginError) {
    self.text = text
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    if inet_pton(AF_INET, text, &v4.sin_addr) == 1,
      UInt32(bigEndian: v4.sin_addr.s_addr) >> 24 == 127 || Self.isOnLoopback(v4.sin_addr)
    {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      family = .v4(v4)
    } else if text == "::1", inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      family = .v6(v6)
    } else {
      throw OriginError(.address, "\"\(text)\" is not an address of the loopback interface")
    }
  }

  /// Whether the loopback interface has been given that address, as in a network namespace of a test.
  private static func isOnLoopback(_ address: in_addr) -> Bool {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return false }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0, let found = entry.ifa_addr,
        found.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      let v4 = UnsafeRawPointer(found).load(as: sockaddr_in.self)
      if v4.sin_addr.s_addr == address.s_addr { return true }
    }
    return false
  }

  func listen() throws(OriginError) -> Descriptor {
    let domain = if case .v4 = family { AF_INET } else { AF_INET6 }
    let number = socket(
      domain,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw OriginError(.address, "socket: \(Descriptor.reason)") }
    let descriptor = Descriptor(number)
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if domain == AF_INET6 { setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
    guard bind(number) == 0, Glibc.listen(number, 4_096) == 0 else {
      throw OriginError(.address, "cannot listen on \(text): \(Descriptor.reason)")
    }
    return descriptor
  }

  private func bind(_ number: Int32) -> Int32 {
    switch family {
    case .v4(let address): Self.bind(number, address)
    case .v6(let address): Self.bind(number, address)
    }
  }

  private static func bind<Address>(_ number: Int32, _ address: Address) -> Int32 {
    withUnsafeBytes(of: address) { bytes in
      guard let base = bytes.baseAddress else { return -1 }
      return Glibc.bind(
        number, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  /// The port that a listening socket got.
  static func port(of socket: Descriptor) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let base = bytes.baseAddress,
        getsockname(socket.number, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return 0 }
      // The port follows the family in both kinds of address.
      return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
