import Models

/// Recognises host names that never lead to a public address, for hosts that only the proxy resolves.
enum PrivateName {
  /// The domains for local use: RFC 6761 §6.3, RFC 6762 §3, RFC 8375 §3, and `internal`, which ICANN
  /// has reserved.
  private static let domains = ["localhost", "local", "home.arpa", "internal"]

  /// - Parameter host: A name in lower case, and no numeric address.
  static func isPrivate(_ host: String) -> Bool {
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    // A name of one label is completed with a domain of the proxy's network.
    guard let dot = name.lastIndex(of: ".") else { return true }
    // Resolvers read `127.1`, `0x7f.1` and similar texts as addresses.
    let last = name[name.index(after: dot)...]
    if last.isEmpty || last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x") { return true }
    return domains.contains { name == $0 || name.hasSuffix(".\($0)") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
