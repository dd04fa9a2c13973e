/// An absolute `http` or `https` URL, split into the origin to connect to and the target to request.
///
/// Parsing is strict (RFC 3986, RFC 9110 §4.2) and O(length): no user information, no empty host, no control
/// characters. Spaces and non-ASCII characters in path and query are percent-encoded, as browsers do, because
/// real lists contain them; an international host name becomes its `xn--` form. A fragment is dropped.
public struct HTTPURL: Hashable, Sendable {
  public enum Scheme: String, Sendable, Hashable {
    case http, https

    public var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// Scheme, host and port, which determine the reuse of connections and credentials (RFC 6454).
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public let scheme: Scheme
    /// The host in lower case, without brackets around IPv6.
    public let host: String
    public let port: Int

    public init(scheme: Scheme, host: String, port: Int) {
      self.scheme = scheme
      self.host = host
      self.port = port
    }

    /// The value of the `Host` field, without the port if it is the scheme's default.
    public var authority: String { authority(host: host) }

    func authority(host: String) -> String {
      let authority = Authority(host: host, of: self)
      return String(utf8Capacity: authority.length) { authority.append(to: &$0) }
    }

    public var description: String { text(before: "") }

    /// Returns the origin followed by `target`. The text is built in one allocation, because lists have
    /// millions of URLs.
    fileprivate func text(before target: String) -> String {
      let (scheme, authority) = (scheme.rawValue, Authority(host: host, of: self))
      let length = scheme.utf8.count + 3 + authority.length + target.utf8.count
      return String(utf8Capacity: length) { text in
        text.append(scheme)
        text.append("://")
        authority.append(to: &text)
        text.append(target)
      }
    }
  }

  /// The host and port in their URL form (RFC 3986 §3.2).
  private struct Authority {
    let host: String
    let isLiteral: Bool
    /// The port, or nil if it is the scheme's default.
    let port: UInt?

    init(host: String, of origin: Origin) {
      self.host = host
      let bytes = host.utf8.span
      isLiteral = bytes.indices.contains { bytes[$0] == UInt8(ascii: ":") }
      port = origin.port == origin.scheme.defaultPort ? nil : origin.port.magnitude
    }

    /// The number of bytes that `append(to:)` writes.
    var length: Int {
      host.utf8.count + (isLiteral ? 2 : 0) + (port.map { 1 + $0.decimalDigits } ?? 0)
    }

    func append(to text: inout OutputSpan<UInt8>) {
      if isLiteral { text.append(UInt8(ascii: "[")) }
      text.append(host)
      if isLiteral { text.append(UInt8(ascii: "]")) }
      guard let port else { return }
      text.append(UInt8(ascii: ":"))
      text.append(decimal: port)
    }
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
  public var description: String { origin.text(before: target) }

  /// The path without the query.
  public var path: Substring { target.prefix { $0 != "?" } }

  /// The last segment of the path, percent-decoded; empty for a path that ends in `/`.
  public var lastPathComponent: String { String(lastPathLabel) }

  /// The same text as ``lastPathComponent``, without a copy if the segment has no percent-encoding.
  var lastPathLabel: Substring {
    let bytes = target.utf8.span
    var (start, end) = (0, bytes.count)
    var isEncoded = false
    scan: for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "/"): (start, isEncoded) = (index + 1, false)
      case UInt8(ascii: "%"): isEncoded = true
      case UInt8(ascii: "?"):
        end = index
        break scan
      default: break
      }
    }
    let first = target.utf8.index(target.startIndex, offsetBy: start)
    let segment = target[first..<target.utf8.index(first, offsetBy: end - start)]
    return isEncoded ? PercentEncoding.decode(segment)[...] : segment
  }
}

extension HTTPURL: CustomStringConvertible {}

// `==` and `hash` are implemented here, because the synthesized versions treat the scheme as a string.
extension HTTPURL.Origin {
  public static func == (a: Self, b: Self) -> Bool {
    a.port == b.port && a.isSecure == b.isSecure && a.host == b.host
  }

  /// Hashes host and port only, because hardly any host serves both schemes on one port.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(port)
    hasher.combine(host)
  }

  private var isSecure: Bool {
    switch scheme {
    case .http: false
    case .https: true
    }
  }
}

/// The reason why a text is not a URL that can be fetched.
public struct HTTPURLError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
