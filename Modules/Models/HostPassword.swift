/// A user name and a password with the servers that receive them: an entry `SERVERS: name:password` of the setting
/// `network.users`.
public struct HostPassword: Sendable, Equatable {
  /// The servers that receive the password.
  public enum Scope: Hashable, Sendable {
    /// One origin, written as a URL: `https://a.example`, `http://a.example:8080`.
    case origin(HTTPURL.Origin)
    /// One port of a host with either scheme, written as `a.example:8080`.
    case port(Int, host: String)
    /// All ports of a host with either scheme, written as `a.example`.
    case host(String)
  }

  public let scope: Scope
  public let user: String
  public let password: String
  /// The servers as the entry names them, for messages.
  public let key: String

  /// Parses an entry.
  /// - Returns: nil for a line without servers, user name or password, and for one with control characters.
  public init?(line: String) {
    guard let (scope, key) = Self.scope(of: line) else { return nil }
    // The name of the field only completes the line, so that the value is read like that of any other field.
    let rest = Substring(line.utf8.dropFirst(key.utf8.count))
    guard let field = HTTPFields.Field(line: "x" + rest) else { return nil }
    let parts = field.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    self.scope = scope
    self.key = key
    user = String(parts[0])
    password = String(parts[1])
  }

  private static func scope(of line: String) -> (Scope, key: String)? {
    // A URL, a port and an IPv6 address have colons, too, but no space follows these.
    if let key = spacedKey(of: line) {
      if isURL(key) { return origin(key).map { (.origin($0), key) } }
      if key.hasPrefix("[") || isHostWithPort(key) {
        guard let origin = origin("http://" + key) else { return nil }
        let isWhole = key.hasSuffix("]")
        return (isWhole ? .host(origin.host) : .port(origin.port, host: origin.host), key)
      }
    }
    guard let field = HTTPFields.Field(line: line), !field.value.hasPrefix("//") else { return nil }
    return (.host(field.name.lowercased()), field.name)
  }

  /// Returns the text before the first colon that a space or a tab follows.
  private static func spacedKey(of line: String) -> String? {
    let bytes = Array(line.utf8)
    for (index, byte) in bytes.enumerated().dropLast() where byte == UInt8(ascii: ":") {
      let next = bytes[index + 1]
      guard next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") else { continue }
      return String(decoding: bytes[..<index], as: UTF8.self)
    }
    return nil
  }

  private static func isURL(_ key: String) -> Bool {
    let start = key.prefix("https://".count).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }

  private static func isHostWithPort(_ key: String) -> Bool {
    let parts = key.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[1].isEmpty
      && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func origin(_ text: String) -> HTTPURL.Origin? {
    guard let url = try? HTTPURL(text), url.target == "/", !text.contains("#") else { return nil }
    return url.origin
  }
}
