/// An IP address and a port, written as `192.0.2.1:53` or `[2001:db8::1]:53`.
public struct IPEndpoint: Hashable, Sendable {
  public let address: IPAddress
  public let port: Int

  public init(address: IPAddress, port: Int) {
    self.address = address
    self.port = port
  }

  /// Parses `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` and `[2001:db8::1]:53`, with ports from 1 to 65,535.
  public init?(_ text: some StringProtocol, defaultPort: Int) {
    let text = Substring(text)
    if let address = IPAddress(text) {
      self.init(address: address, port: defaultPort)
      return
    }
    guard let colon = text.lastIndex(of: ":") else {
      guard let address = Self.bracketed(text) else { return nil }
      self.init(address: address, port: defaultPort)
      return
    }
    let host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    if host.hasPrefix("["), !host.hasSuffix("]") {
      guard let address = Self.bracketed(text) else { return nil }
      self.init(address: address, port: defaultPort)
      return
    }
    guard let address = Self.bracketed(host) ?? IPAddress(host),
      host.hasPrefix("[") || address.family == .v4,
      digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = UInt16(digits), port > 0
    else { return nil }
    self.init(address: address, port: Int(port))
  }

  private static func bracketed(_ text: Substring) -> IPAddress? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    return IPAddress(text.dropFirst().dropLast()).flatMap { $0.family == .v6 ? $0 : nil }
  }
}

extension IPEndpoint: CustomStringConvertible {
  public var description: String {
    address.family == .v6 ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
