public import Models

/// Decides which redirects a transfer follows and which fields each request carries (RFC 9110
/// §15.4). Each transfer has a value of its own.
///
/// 301, 302, 303, 307 and 308 are followed, to `http` and `https` URLs only; every other status is
/// a final response. A request to another origin carries none of the caller's fields, which may be
/// credentials, except for the range of an interrupted transfer and the origin of the referring page. Each
/// request carries the cookies that earlier responses have set for its URL. A redirect from `https` to `http`
/// is followed, as curl does, unless the request has credentials, because the plaintext response
/// could be forged.
public struct RedirectPolicy: Sendable {
  public enum Action: Sendable, Equatable {
    /// The response is final.
    case deliver
    /// The next request asks for `url` with `fields`.
    case follow
  }

  /// The maximum number of bytes of a redirect's body that are read to keep the connection; the
  /// connection is closed if the body is longer.
  public static let maximumBodyBytes: Int64 = 65_536

  /// The status with which a server says that the request has come over the wrong connection (RFC 9110 §15.5.20).
  public static let misdirected = 421

  /// The URL of the current request.
  public private(set) var url: HTTPURL
  /// The fields that may be sent to `url`: the caller's fields and the credentials of the user's
  /// files.
  public private(set) var fields: HTTPFields
  /// The number of redirects followed so far.
  public private(set) var count = 0
  /// Whether a redirect has left the first origin, even if a later one has led back to it.
  public private(set) var hasLeftOrigin = false

  private let limit: Int
  private let credentials: Credentials
  private let cookies: CookieJar?
  private let permitted: Set<HTTPURL>?
  /// The caller's fields; only the range is left after a redirect has left the first origin.
  private var callerFields: HTTPFields
  private var hasPassword = false
  /// Whether the first URL is already one to which a response of another origin has led.
  private let isAwayFromOrigin: Bool
  /// The URLs that were requested, with the cookies of the last request for each.
  private var visited: [HTTPURL: String]

  public init(_ request: TransportRequest) {
    url = request.url
    callerFields = request.fields
    fields = callerFields
    credentials = request.credentials ?? Credentials.none
    cookies = request.cookies
    permitted = request.permittedRedirects
    limit = max(0, request.limits.maxRedirects)
    visited = [:]
    isAwayFromOrigin = request.hasLeftOrigin
    hasPassword = credentials.add(
      to: &fields, for: url, jar: cookies, isRedirected: request.isNamedByResponse,
      hasLeftOrigin: request.hasLeftOrigin)
  }

  public static func isRedirect(status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Keeps the cookies that a response to `url` sets. `handle` does the same.
  public func receiveCookies(_ response: HTTPFields) { cookies?.receive(response, from: url) }

  /// Handles a response to `url`. After `.follow`, `url` and `fields` describe the next request.
  /// - Throws: `TransportError` with the code `tooManyRedirects` (also for a loop), `badRedirect`
  ///   or `redirectNotPermitted`.
  public mutating func handle(
    status: Int, fields response: HTTPFields
  ) throws(TransportError) -> Action {
    receiveCookies(response)
    guard Self.isRedirect(status: status) else { return .deliver }
    let next = try target(of: response, status: status)
    visited[url] = fields["Cookie"] ?? ""
    guard count < limit else {
      throw TransportError(
        .tooManyRedirects, url: url,
        detail: "more than \(limit) redirects (network.maxRedirects)")
    }
    guard permitted?.contains(next) ?? true else {
      throw TransportError(
        .redirectNotPermitted, url: next, detail: "the redirect to \(next) is not permitted")
    }
    let isElsewhere = next.origin != url.origin
    if isElsewhere { try checkDowngrade(to: next) }
    let kept =
      isElsewhere ? Self.fieldsForOtherOrigin(callerFields, from: url, to: next) : callerFields
    var new = kept
    let hasNewPassword = credentials.add(
      to: &new, for: next, jar: cookies, isRedirected: true,
      hasLeftOrigin: hasLeftOrigin || isElsewhere || isAwayFromOrigin)
    // A server may set a cookie and redirect to the same URL, where the cookie leads on.
    guard visited[next].map({ $0 != new["Cookie"] ?? "" }) ?? true else {
      throw TransportError(
        .tooManyRedirects, url: url, detail: "the redirects form a loop at \(next)")
    }
    count += 1
    (url, fields, callerFields, hasPassword) = (next, new, kept, hasNewPassword)
    hasLeftOrigin = hasLeftOrigin || isElsewhere
    return .follow
  }

  /// Returns the caller's fields that another origin receives: the range, and the origin of the referring page, as
  /// browsers send it by default (Referrer Policy, `strict-origin-when-cross-origin`).
  private static func fieldsForOtherOrigin(
    _ fields: HTTPFields, from url: HTTPURL, to next: HTTPURL
  ) -> HTTPFields {
    var kept = rangeFields(in: fields)
    if let page = fields["Referer"].flatMap({ try? HTTPURL($0) }),
      let referrer = page.referrer(for: next), url.scheme == .http || next.scheme == .https
    {
      kept.set("Referer", referrer)
    }
    return kept
  }

  /// Returns the fields that request the rest of an interrupted transfer, which another origin
  /// receives as well, because it may be the one that has sent the beginning.
  ///
  /// `If-Range` makes a server that has another version send the whole file (RFC 9110 §13.1.5). A
  /// date does not tell the files of two servers apart, so a range with a date is left out.
  private static func rangeFields(in fields: HTTPFields) -> HTTPFields {
    var kept = HTTPFields()
    guard let range = fields["Range"] else { return kept }
    if let validator = fields["If-Range"] {
      guard validator.utf8.first == UInt8(ascii: "\"") else { return kept }
      kept.set("If-Range", validator)
    }
    kept.set("Range", range)
    return kept
  }

  private func target(
    of response: HTTPFields, status: Int
  ) throws(TransportError) -> HTTPURL {
    let locations = response.references("Location")
    guard let location = locations.first else {
      throw badRedirect("redirect (\(status)) without a Location")
    }
    guard locations.allSatisfy({ $0 == location }) else {
      throw badRedirect("redirect with different Locations")
    }
    do throws(HTTPURLError) {
      return try url.resolving(location)
    } catch {
      throw badRedirect("redirect to \"\(TransportError.escaped(location))\": \(error)")
    }
  }

  private func checkDowngrade(to next: HTTPURL) throws(TransportError) {
    guard url.scheme == .https, next.scheme == .http, hasCredentials else { return }
    throw badRedirect("a request with credentials is redirected from https to \(next.origin)")
  }

  private var hasCredentials: Bool {
    // Cookies of the user's file are exempt, because each cookie states the hosts that may receive
    // it.
    hasPassword
      || ["Authorization", "Cookie", "Proxy-Authorization"].contains { callerFields[$0] != nil }
  }

  private func badRedirect(_ detail: String) -> TransportError {
    TransportError(.badRedirect, url: url, detail: TransportError.escaped(detail, limit: 400))
  }
}
