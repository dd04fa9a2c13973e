import HTTP1
import Models

/// The checks of a request through the loopback listener, in this order: the host (421), the web page that
/// sent the request (403), and the authentication (401). The router then checks the method and the media
/// type.
///
/// Every local user can connect to the loopback listener, and so can every web page that a browser on this
/// machine shows.
struct WebRequestChecks: Sendable {
  let origin: WebOrigin
  /// The key that signed the tokens.
  let key: [UInt8]
  /// The identifiers of the sessions that have ended by a logout.
  var endedSessions: Set<String> = []

  /// The name of the cookie with the session's token.
  static let cookieName = "imgdl-session"

  /// Checks the `Host` field. Files of the page need no other check, since everyone may read them.
  func checkHost(_ request: ControlRequest) throws(ControlError) -> WebOrigin.Host {
    guard let field = request.fields["Host"], let host = origin.host(field) else {
      throw ControlError(
        // The message does not reveal the host name: a web page that knew it could receive the cookie.
        .misdirected, "the request names another host; run `imgdl-cli web` for the address")
    }
    return host
  }

  /// Checks which web page sent the request, as the browser reports it. Programs send none of these fields.
  /// - Parameter requiresSender: Whether to refuse a request that has none of these fields.
  func checkSender(_ request: ControlRequest, requiresSender: Bool) throws(ControlError) {
    let fields = request.fields
    let host = fields["Host"] ?? ""
    let origins = fields.all("Origin")
    let site = fields.all("Sec-Fetch-Site")
    let isForeign =
      origins.contains { !HTTPFields.isSame($0, "http://\(host)") }
      || fields.all("Referer").contains { !Self.isReferer($0, from: host) }
      || site.contains { $0 != "same-origin" && $0 != "none" }
    guard !isForeign else {
      throw ControlError(.forbidden, "the request was sent by a page of another site")
    }
    let namesSender = !origins.isEmpty || fields["Referer"] != nil || !site.isEmpty
    guard namesSender || !requiresSender else {
      throw ControlError(
        .forbidden, "the request has no Origin; a program needs a Bearer token for this method")
    }
  }

  /// Checks a request that exchanges a login token for a session.
  func checkLogin(_ request: ControlRequest) throws(ControlError) {
    guard try checkHost(request) == .page else {
      throw ControlError(.misdirected, "a browser logs in at the address of the login link")
    }
    try checkSender(request, requiresSender: true)
  }

  /// Makes all checks for a request to the API.
  /// - Parameter now: The current time in Unix seconds.
  /// - Returns: The token that authenticates the client.
  func check(_ request: ControlRequest, now: Int64) throws(ControlError) -> AccessToken {
    let host = try checkHost(request)
    let bearer = Self.bearer(request)
    try checkSender(request, requiresSender: !request.isSafe && bearer == nil)
    if let bearer {
      guard let token = AccessToken(bearer, key: key, now: now), token.kind == .bearer else {
        throw ControlError(.unauthenticated, "the Bearer token is not valid")
      }
      return token
    }
    guard host == .page else {
      throw ControlError(
        .unauthenticated, "requests to an IP address or to localhost need a Bearer token")
    }
    for text in Self.cookies(request, named: Self.cookieName) {
      guard let token = AccessToken(text, key: key, now: now), token.kind == .session,
        !endedSessions.contains(token.id)
      else { continue }
      return token
    }
    throw ControlError(.unauthenticated, "there is no session; run `imgdl-cli web` to log in")
  }

  private static func isReferer(_ value: String, from host: String) -> Bool {
    let prefix = "http://\(host)"
    guard value.utf8.count >= prefix.utf8.count else { return false }
    let (start, rest) = (value.prefix(prefix.count), value.dropFirst(prefix.count))
    return HTTPFields.isSame(start, prefix) && (rest.isEmpty || rest.hasPrefix("/"))
  }

  /// Returns the token of the `Authorization` field; nil without the field, or with another scheme.
  private static func bearer(_ request: ControlRequest) -> String? {
    guard let value = request.fields["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, HTTPFields.isSame(parts[0], "Bearer") else { return nil }
    return String(parts[1])
  }

  /// Returns the values of all cookies with the given name (RFC 6265 §5.4).
  private static func cookies(_ request: ControlRequest, named name: String) -> [String] {
    request.fields.all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix("\(name)=") ? String(pair.dropFirst(name.utf8.count + 1)) : nil
    }
  }
}
