import Glibc
import Models
import Transport

/// Names to addresses, by the system's resolver. It blocks, which the thread of a transfer may.
enum Resolver {
  struct Target {
    let family: Int32
    let address: IPAddress
    /// A `sockaddr` with the port.
    let bytes: [UInt8]
  }

  static func addresses(of url: HTTPURL) throws(TransportError) -> [Target] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    // An address of IPv6 stands between brackets.
    let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(url.port)", &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    var targets: [Target] = []
    var next = code == 0 ? list : nil
    while let entry = next?.pointee {
      if let target = target(entry) { targets.append(target) }
      next = entry.ai_next
    }
    guard !targets.isEmpty else {
      let reason = code == 0 ? "it has no address" : String(cString: gai_strerror(code))
      throw TransportError(.dns, url: url, detail: "\(url.host) cannot be resolved (\(reason))")
    }
    return targets
  }

  private static func target(_ entry: addrinfo) -> Target? {
    guard let pointer = entry.ai_addr else { return nil }
    let bytes = Array(UnsafeRawBufferPointer(start: pointer, count: Int(entry.ai_addrlen)))
    // sockaddr_in: family, port, 4 bytes; sockaddr_in6: family, port, flow, 16 bytes.
    let place = entry.ai_family == AF_INET ? 4..<8 : 8..<24
    guard bytes.count >= place.upperBound, let address = IPAddress(bytes: bytes[place]) else {
      return nil
    }
    return Target(family: entry.ai_family, address: address, bytes: bytes)
  }
}
