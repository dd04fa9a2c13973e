/// An absolute `http` or `https` URL in the form that a client needs: who to connect to and what to ask for.
///
/// Parsed strictly (RFC 3986, RFC 9110 §4.2): no user information, no empty host, no control
/// characters. Spaces and non-ASCII characters in path and query are percent-encoded, as browsers
/// do, because real lists contain them. A fragment is dropped. Parsing is O(length).
public struct HTTPURL: Hashable, Sendable {
  public enum Scheme: String, Sendable, Hashable {
    case http, https

    public var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// Scheme, host and port: what decides over credentials and connection reuse (RFC 6454).
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public let scheme: Scheme
    /// Lower case, without brackets around IPv6.
    public let host: String
    public let port: Int

    public init(scheme: Scheme, host: String, port: Int) {
      self.scheme = scheme
      self.host = host
      self.port = port
    }

    /// The value of the `Host` field: without the port where it is the scheme's own.
    public var authority: String { authority(host: host) }

    func authority(host: String) -> String {
      let name = host.utf8.contains(UInt8(ascii: ":")) ? "[" + host + "]" : host
      return port == scheme.defaultPort ? name : name + ":" + String(port)
    }

    public var description: String { scheme.rawValue + "://" + authority }
  }

  public let origin: Origin
  /// Path and query in origin form, percent-encoded, always beginning with `/`.
  public let target: String

  public init(origin: Origin, target: String) {
    self.origin = origin
    self.target = target
  }

  public var scheme: Scheme { origin.scheme }
  public var host: String { origin.host }
  public var port: Int { origin.port }

  /// The whole URL in canonical form: lower-case scheme and host, no default port, no fragment.
  public var description: String { origin.description + target }

  /// The path without the query.
  public var path: Substring { target.prefix { $0 != "?" } }

  /// The last segment of the path, percent-decoded; empty for a path that ends in `/`.
  public var lastPathComponent: String {
    let segment = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return PercentEncoding.decode(segment)
  }
}

extension HTTPURL: CustomStringConvertible {}

/// Why a text is not a URL that can be fetched.
public struct HTTPURLError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
