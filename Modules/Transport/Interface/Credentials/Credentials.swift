import Glibc
import Models

/// The cookies and passwords of the user's files, and the signer of requests. They are looked up
/// for the URL of each hop, so that a redirect carries only those of its target.
public struct Credentials: Sendable {
  private let cookies: CookieFile?
  private let netrc: Netrc?
  private let users: HostPasswords?
  private let signer: (any RequestSigner)?
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - netrc: The passwords of hosts, on every port.
  ///   - users: The passwords of the servers that the user has named, which take precedence. No redirect carries them
  ///     to another origin, because another port or scheme may be another service.
  ///   - now: The current time in seconds since 1970; nil means the time of the system's clock.
  public init(
    cookies: CookieFile? = nil, netrc: Netrc? = nil, users: HostPasswords? = nil,
    signer: (any RequestSigner)? = nil,
    now: (@Sendable () -> Int64)? = nil
  ) {
    self.cookies = cookies
    self.netrc = netrc
    self.users = users
    self.signer = signer
    self.now = now ?? { Int64(time(nil)) }
  }

  public static let none = Credentials()

  /// Returns these credentials, and for what they lack those of `others`.
  public func over(_ others: Credentials) -> Credentials {
    Credentials(
      cookies: cookies ?? others.cookies, netrc: netrc ?? others.netrc,
      users: users.map { $0.over(others.users) } ?? others.users, signer: signer ?? others.signer,
      now: others.now)
  }

  /// Adds the credentials for the URL. An existing field of the same name takes precedence; cookies of the jar are
  /// added to it, unless it has one of the same name.
  /// - Parameters:
  ///   - jar: The cookies that servers have set, which are newer than those of the user's file.
  ///   - isRedirected: Whether a response has named the URL. Such a request is never signed, because the server would
  ///     choose what the signature permits.
  ///   - hasLeftOrigin: Whether a response of another origin has named the URL.
  /// - Returns: Whether a password or a signature was added.
  @discardableResult
  func add(
    to fields: inout HTTPFields, for url: HTTPURL, jar: CookieJar? = nil,
    isRedirected: Bool = false, hasLeftOrigin: Bool = false
  ) -> Bool {
    addCookies(to: &fields, for: url, jar?.pairs(for: url) ?? [])
    if !isRedirected, let signature = signer?.signature(of: url, fields, at: now()) {
      for field in signature.fields { fields.append(field.name, field.value) }
      return true
    }
    let user = hasLeftOrigin ? nil : users?.credentials(for: url)
    guard fields["Authorization"] == nil, let known = user ?? netrc?.credentials(for: url.host)
    else { return false }
    fields.append("Authorization", known.fieldValue)
    return true
  }

  private func addCookies(
    to fields: inout HTTPFields, for url: HTTPURL, _ set: [(name: String, value: String)]
  ) {
    let own = fields["Cookie"]
    var parts = [own].compactMap { $0 }
    if own == nil, let cookies,
      let value = cookies.fieldValue(for: url, now: now(), except: Set(set.map(\.name)))
    {
      parts.append(value)
    }
    if !set.isEmpty {
      let names = Set(
        (own ?? "").split(separator: ";").map { pair in
          String(pair.drop { $0 == " " }.prefix { $0 != "=" })
        })
      var length = parts.reduce(0) { $0 + $1.utf8.count }
      for (name, value) in set where !names.contains(name) {
        length += name.utf8.count + value.utf8.count + 3
        guard length <= CookieStore.maximumFieldLength else { break }
        parts.append("\(name)=\(value)")
      }
    }
    guard parts.count > (own == nil ? 0 : 1) else { return }
    fields.set("Cookie", parts.joined(separator: "; "))
  }
}
