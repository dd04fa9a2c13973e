public import Models

/// The cookies of a Netscape cookie file (`cookies.txt`), which are sent according to RFC 6265 and
/// never changed.
///
/// The list of public suffixes is not consulted: a cookie for a name without a dot, such as `com`
/// or `localhost`, is sent to that host only, and a cookie for a suffix such as `co.uk` is sent
/// wherever its line says, because the file is the user's own.
public struct CookieFile: Sendable, Equatable {
  struct Cookie: Sendable, Equatable {
    let includesSubdomains: Bool
    let path: String
    let isSecure: Bool
    /// The expiry in seconds since 1970; 0 means a session cookie, which imgdl sends in every run.
    let expires: Int64
    let pair: String
  }

  /// The cookies of each domain, in the order of the file.
  private var cookies: [String: [Cookie]] = [:]

  /// Parses the seven tab-separated fields of each line; `#` begins a comment, but `#HttpOnly_`
  /// begins a cookie.
  /// - Throws: `CredentialFileError` with the number of the malformed line.
  public init(_ text: String) throws(CredentialFileError) {
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      var line = Substring(line)
      if line.hasPrefix(Self.httpOnly) {
        line = line.dropFirst(Self.httpOnly.count)
      } else if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
        continue
      }
      try add(line, number)
    }
  }

  private static let httpOnly = "#HttpOnly_"

  private mutating func add(_ line: Substring, _ number: Int) throws(CredentialFileError) {
    func error(_ reason: String) -> CredentialFileError {
      CredentialFileError(line: number, reason: reason)
    }
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7 || fields.count == 6 else {
      throw error("\(fields.count) tab-separated fields instead of 7")
    }
    var domain = fields[0].lowercased()
    while domain.first == "." { domain.removeFirst() }
    guard !domain.isEmpty else { throw error("no domain") }
    guard let includesSubdomains = Self.parseFlag(fields[1]),
      let isSecure = Self.parseFlag(fields[3])
    else {
      throw error("fields 2 and 4 must be TRUE or FALSE")
    }
    guard let expires = Int64(fields[4]) else { throw error("field 5 must be a time in seconds") }
    let value = fields.count == 7 ? fields[6] : ""
    let pair = fields[5].isEmpty ? value : "\(fields[5])=\(value)"
    guard !pair.isEmpty else { throw error("neither name nor value") }
    guard !pair.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: ";") }) else {
      throw error("a name or value with characters that cannot be sent")
    }
    let cookie = Cookie(
      includesSubdomains: includesSubdomains && domain.contains(".") && IPAddress(domain) == nil,
      path: fields[2].hasPrefix("/") ? fields[2] : "/", isSecure: isSecure, expires: expires,
      pair: pair)
    cookies[domain, default: []].append(cookie)
  }

  private static func parseFlag(_ text: String) -> Bool? {
    switch text.uppercased() {
    case "TRUE": true
    case "FALSE": false
    default: nil
    }
  }

  public var isEmpty: Bool { cookies.isEmpty }

  /// Returns the value of the `Cookie` field for a request (RFC 6265 §5.4); nil if no cookie
  /// matches.
  /// - Parameter now: The current time in seconds since 1970.
  public func fieldValue(for url: HTTPURL, now: Int64) -> String? {
    guard !cookies.isEmpty else { return nil }
    let host = url.host.last == "." ? String(url.host.dropLast()) : url.host
    var matching: [Cookie] = []
    for (domain, isHost) in Self.domains(of: host) {
      for cookie in cookies[domain] ?? []
      where (isHost || cookie.includesSubdomains) && cookie.isFor(url, now) {
        matching.append(cookie)
      }
    }
    guard !matching.isEmpty else { return nil }
    // Longer paths come first; the index as second key keeps the order of cookies with equal
    // lengths.
    let ordered = matching.enumerated().sorted {
      ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
    }
    return ordered.map(\.element.pair).joined(separator: "; ")
  }

  /// Returns a host and the domains above it (RFC 6265 §5.1.3); only the host itself if it is a
  /// numeric address.
  private static func domains(of host: String) -> [(String, isHost: Bool)] {
    var domains = [(host, isHost: true)]
    guard IPAddress(host) == nil else { return domains }
    var rest = Substring(host)
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      domains.append((String(rest), isHost: false))
    }
    return domains
  }
}

extension CookieFile.Cookie {
  fileprivate func isFor(_ url: HTTPURL, _ now: Int64) -> Bool {
    guard expires <= 0 || expires > now, !isSecure || url.scheme == .https else { return false }
    // Path matching follows RFC 6265 §5.1.4.
    let asked = url.path
    guard asked.hasPrefix(path) else { return false }
    return asked.utf8.count == path.utf8.count || path.hasSuffix("/")
      || asked.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
  }
}
