import HTTP1
import Models

/// The origin of the web page: `http://NAME.localhost:PORT`.
///
/// Cookies ignore ports, so a page at `127.0.0.1:4840` would share its cookies with every other local server.
/// A random name below `localhost` has cookies of its own, and browsers treat it as a secure context.
struct WebOrigin: Sendable, Equatable {
  /// The way in which a request names this server.
  enum Host: Sendable, Equatable {
    /// The host is the name of the page. Only these requests may authenticate with the cookie.
    case page
    /// The host is `localhost` or an IP address. These requests need a Bearer token.
    case address
  }

  /// The ports that a user may choose; lower ones need privileges.
  static let ports: ClosedRange<UInt16> = 1_024...65_535
  /// The port of a library's page, unless it is taken when the page is first opened.
  static let defaultPort: UInt16 = 4_840

  /// The random label of the host name: 32 hexadecimal digits.
  let name: String
  let port: UInt16

  /// The value of the `Host` field: the name and the port.
  var authority: String { "\(name).localhost:\(port)" }
  /// The serialised origin (RFC 6454 §6.1).
  var description: String { "http://\(authority)" }
  /// The URL of the page.
  var address: String { description + "/" }

  /// Returns how a `Host` field names this server.
  /// - Returns: nil for every other host, such as the name of a web site that an attacker lets resolve to
  ///   127.0.0.1 (DNS rebinding).
  func host(_ field: String) -> Host? {
    if HTTPFields.isSame(field, authority) { return .page }
    let addresses = ["127.0.0.1:\(port)", "[::1]:\(port)", "localhost:\(port)"]
    return addresses.contains { HTTPFields.isSame(field, $0) } ? .address : nil
  }
}
