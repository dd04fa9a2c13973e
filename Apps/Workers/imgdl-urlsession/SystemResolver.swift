import Glibc
import Models
import Transport

/// Looks up the current addresses of a host name. Blocks.
enum SystemResolver {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: gai_strerror(code)) }
  }

  static func addresses(of host: String) -> Result<[IPAddress], Failure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { return .failure(Failure(code: code)) }
    defer { freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = list
    while let entry = next {
      if let address = address(of: entry.pointee) { addresses.append(address) }
      next = entry.pointee.ai_next
    }
    return .success(addresses)
  }

  private static func address(of entry: addrinfo) -> IPAddress? {
    guard let address = entry.ai_addr else { return nil }
    let raw = UnsafeRawPointer(address)
    switch entry.ai_family {
    case AF_INET:
      var value = raw.load(as: sockaddr_in.self).sin_addr
      return withUnsafeBytes(of: &value) { IPAddress(bytes: $0) }
    case AF_INET6:
      var value = raw.load(as: sockaddr_in6.self).sin6_addr
      return withUnsafeBytes(of: &value) { IPAddress(bytes: $0) }
    default: return nil
    }
  }
}
