import Glibc
import Models

/// The cookies and passwords of the user's files. They are looked up for the URL of each hop, so
/// that a redirect carries only those of its target.
public struct Credentials: Sendable {
  private let cookies: CookieFile?
  private let netrc: Netrc?
  private let now: @Sendable () -> Int64

  /// - Parameter now: The current time in seconds since 1970; nil means the time of the system's
  ///   clock.
  public init(
    cookies: CookieFile? = nil, netrc: Netrc? = nil, now: (@Sendable () -> Int64)? = nil
  ) {
    self.cookies = cookies
    self.netrc = netrc
    self.now = now ?? { Int64(time(nil)) }
  }

  public static let none = Credentials()

  /// Adds the credentials for the URL. An existing field of the same name takes precedence.
  /// - Returns: Whether a password was added.
  @discardableResult
  func add(to fields: inout HTTPFields, for url: HTTPURL) -> Bool {
    if fields["Cookie"] == nil, let value = cookies?.fieldValue(for: url, now: now()) {
      fields.append("Cookie", value)
    }
    guard fields["Authorization"] == nil, let known = netrc?.credentials(for: url.host) else {
      return false
    }
    fields.append("Authorization", known.fieldValue)
    return true
  }
}
