public import Models

/// The cookies of a Netscape cookie file (`cookies.txt`), which are sent according to RFC 6265 and
/// never changed. Lines that are no cookies are left out, and reported.
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
    let name: String
    let pair: String
  }

  /// The cookies of each domain, in the order of the file.
  private var cookies: [String: [Cookie]] = [:]
  /// The lines that are no cookies, in the order of the file; only the first ones, up to `maximumProblems`.
  public private(set) var problems: [CredentialFileError] = []
  /// The number of lines that are no cookies.
  public private(set) var problemCount = 0

  public static let maximumProblems = 10

  /// Parses the seven tab-separated fields of each line; `#` begins a comment, but `#HttpOnly_`
  /// begins a cookie.
  /// - Throws: `CredentialFileError` with the number of the first line if the text has lines but no cookie.
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
      do throws(CredentialFileError) {
        try add(line, number)
      } catch {
        problemCount += 1
        if problems.count < Self.maximumProblems { problems.append(error) }
      }
    }
    // A file of another kind has no line that could be used.
    if cookies.isEmpty, let first = problems.first { throw first }
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
    guard let expires = Self.seconds(fields[4]) else {
      throw error("field 5 must be a time in seconds")
    }
    let value = fields.count == 7 ? fields[6] : ""
    let pair = fields[5].isEmpty ? value : "\(fields[5])=\(value)"
    guard !pair.isEmpty else { throw error("neither name nor value") }
    guard !pair.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: ";") }) else {
      throw error("a name or value with characters that cannot be sent")
    }
    let cookie = Cookie(
      includesSubdomains: includesSubdomains && domain.contains(".") && IPAddress(domain) == nil,
      path: fields[2].hasPrefix("/") ? fields[2] : "/", isSecure: isSecure, expires: expires,
      name: fields[5], pair: pair)
    // A later line replaces the cookie of an earlier one (RFC 6265 §5.3): a later login was appended to the file.
    cookies[domain, default: []].removeAll {
      $0.name == cookie.name && $0.path == cookie.path
        && $0.includesSubdomains == cookie.includesSubdomains
    }
    cookies[domain, default: []].append(cookie)
  }

  /// Parses a time in seconds since 1970. Browser extensions write fractions, and nothing for a session cookie.
  private static func seconds(_ text: String) -> Int64? {
    if text.isEmpty { return 0 }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, let seconds = Int64(whole) else { return nil }
    let isFraction = parts.count == 1 || parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
    // A time before the first second is in the past, and 0 would be a session cookie.
    return isFraction ? (seconds == 0 && parts.count == 2 ? -1 : seconds) : nil
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
  /// - Parameters:
  ///   - now: The current time in seconds since 1970.
  ///   - replaced: The names of cookies for which the server has set other values since.
  public func fieldValue(
    for url: HTTPURL, now: Int64, except replaced: Set<String> = []
  ) -> String? {
    guard !cookies.isEmpty else { return nil }
    let host = url.host.last == "." ? String(url.host.dropLast()) : url.host
    var matching: [Cookie] = []
    for (domain, isHost) in Self.domains(of: host) {
      for cookie in cookies[domain] ?? []
      where (isHost || cookie.includesSubdomains) && cookie.isFor(url, now)
        && !replaced.contains(cookie.name)
      {
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
    (expires == 0 || expires > now) && (!isSecure || url.scheme == .https)
      && CookiePath.matches(path, url)
  }
}
