import Glibc
import Models

/// The cookies and passwords of the user's files, which are sent to hosts. They are looked up
/// again for each URL, so a redirect gets what is meant for its target and nothing else.
public struct Credentials: Sendable {
  private let cookies: CookieFile?
  private let netrc: Netrc?
  private let now: @Sendable () -> Int64

  /// - Parameter now: seconds since 1970; nil means by the clock.
  public init(
    cookies: CookieFile? = nil, netrc: Netrc? = nil, now: (@Sendable () -> Int64)? = nil
  ) {
    self.cookies = cookies
    self.netrc = netrc
    self.now = now ?? { Int64(time(nil)) }
  }

  public static let none = Credentials()

  /// Adds what is meant for the URL. A field that is there already counts more.
  /// - Returns: whether a password was added.
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
