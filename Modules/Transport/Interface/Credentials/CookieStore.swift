import Models

/// The cookies that servers have set (RFC 6265 §5.3, §5.4). A value without a clock.
///
/// Every cookie belongs to the host that has set it: `Domain` widens none of them, so that no list of public
/// suffixes is needed. The number and the size of the cookies are bounded.
struct CookieStore: Sendable {
  private struct Cookie: Sendable {
    let name: String
    let value: String
    let path: String
    let isSecure: Bool
    /// The expiry in seconds since 1970; nil for a cookie that lasts as long as the store.
    let expires: Int64?

    var byteCount: Int { name.utf8.count + value.utf8.count + path.utf8.count }
  }

  /// The cookies of each host, the oldest first.
  private var cookies: [String: [Cookie]] = [:]
  private var byteCount = 0

  static let maximumPerHost = 64
  /// The largest size of all cookies in bytes. A cookie that exceeds it is not kept.
  static let maximumBytes = 64 << 10
  /// The largest length of the `Cookie` field in bytes; servers refuse longer ones.
  static let maximumFieldLength = 8_190

  var isEmpty: Bool { cookies.isEmpty }

  /// Keeps the cookie of a `Set-Cookie` field, in place of one with the same name and path.
  /// - Parameters:
  ///   - url: The URL that has answered.
  ///   - now: The current time in seconds since 1970.
  mutating func add(_ field: String, from url: HTTPURL, now: Int64) {
    guard let set = SetCookie(field), isPermitted(set, by: url) else { return }
    let path = set.path ?? Self.defaultPath(of: url)
    let expires = set.maxAge.map { Self.expiry(in: $0, from: now) } ?? set.expires
    var kept = cookies[url.host] ?? []
    if let place = kept.firstIndex(where: { $0.name == set.name && $0.path == path }) {
      // A plain connection must not replace what was set over a secure one.
      guard !kept[place].isSecure || url.scheme == .https else { return }
      byteCount -= kept.remove(at: place).byteCount
    }
    if expires.map({ $0 > now }) ?? true {
      let cookie = Cookie(
        name: set.name, value: set.value, path: path, isSecure: set.isSecure, expires: expires)
      if kept.count >= Self.maximumPerHost { byteCount -= kept.removeFirst().byteCount }
      if byteCount + cookie.byteCount <= Self.maximumBytes {
        byteCount += cookie.byteCount
        kept.append(cookie)
      }
    }
    cookies[url.host] = kept.isEmpty ? nil : kept
  }

  private static func expiry(in seconds: Int64, from now: Int64) -> Int64 {
    guard seconds > 0 else { return .min }
    let (time, overflows) = now.addingReportingOverflow(seconds)
    return overflows ? .max : time
  }

  /// Whether the host may set the cookie.
  private func isPermitted(_ set: SetCookie, by url: HTTPURL) -> Bool {
    if let domain = set.domain, url.host != domain, !url.host.hasSuffix("." + domain) {
      return false
    }
    let isSecure = set.isSecure || set.name.hasPrefix("__Secure-") || set.name.hasPrefix("__Host-")
    return !isSecure || url.scheme == .https && set.isSecure
  }

  /// Returns the cookies for a request, those with longer paths first, and then the older ones.
  /// - Parameter now: The current time in seconds since 1970.
  func pairs(for url: HTTPURL, now: Int64) -> [(name: String, value: String)] {
    guard let kept = cookies[url.host] else { return [] }
    let matching = kept.filter {
      ($0.expires.map { $0 > now } ?? true) && (!$0.isSecure || url.scheme == .https)
        && CookiePath.matches($0.path, url)
    }
    return matching.enumerated().sorted {
      ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
    }.map { ($0.element.name, $0.element.value) }
  }

  /// The path of a cookie that states none (RFC 6265 §5.1.4).
  private static func defaultPath(of url: HTTPURL) -> String {
    let path = url.path
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}

enum CookiePath {
  /// Whether a request is for a path or below it (RFC 6265 §5.1.4).
  static func matches(_ path: String, _ url: HTTPURL) -> Bool {
    let asked = url.path
    guard asked.hasPrefix(path) else { return false }
    return asked.utf8.count == path.utf8.count || path.hasSuffix("/")
      || asked.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
  }
}
