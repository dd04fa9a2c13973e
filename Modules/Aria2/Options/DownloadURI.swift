import Models

/// A URI of a download that the library can request. Its user and password, which a URL of the library never
/// contains, are sent to its host only.
struct DownloadURI: Sendable {
  /// The URI without user and password.
  let text: String
  /// The percent-decoded user and password; nil if the URI has none.
  let credentials: (user: String, password: String)?

  /// - Returns: nil if the URI is not one of `http` or `https`.
  init?(_ uri: String) {
    let bytes = uri.utf8
    guard let scheme = uri.firstRange(of: "://")?.upperBound else { return nil }
    let end = bytes[scheme...].firstIndex { "/?#".utf8.contains($0) } ?? uri.endIndex
    let authority = bytes[scheme..<end]
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
      guard (try? HTTPURL(uri)) != nil else { return nil }
      (text, credentials) = (uri, nil)
      return
    }
    let rest = uri[..<scheme] + uri[bytes.index(after: at)...]
    let parts = uri[scheme..<at].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard (try? HTTPURL(String(rest))) != nil, let user = parts.first else { return nil }
    text = String(rest)
    let password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
    credentials = user.isEmpty ? nil : (PercentEncoding.decode(user), password)
  }

  /// Returns the URIs that the library can request, without the blanks around them.
  static func usable(_ uris: [String]) -> [String] {
    uris.filter { DownloadURI($0) != nil }.map(trimmed)
  }

  /// Removes the blanks around a URI, which would have a meaning in the session file.
  static func trimmed(_ uri: String) -> String {
    let bytes = uri.utf8.drop { $0 == 0x20 }
    let count = bytes.reversed().prefix { $0 == 0x20 }.count
    return String(decoding: bytes.dropLast(count), as: UTF8.self)
  }

  /// The URL that the library requests.
  var url: HTTPURL? { try? HTTPURL(text) }
}
