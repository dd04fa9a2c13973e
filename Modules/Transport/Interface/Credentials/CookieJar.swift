import Glibc
public import Models
import Synchronization

/// The cookies that servers set while one source is read and its resources are downloaded. They are kept in
/// memory only, and go to the host that has set them only.
public final class CookieJar: Sendable {
  private let store = Mutex(CookieStore())
  private let now: @Sendable () -> Int64

  /// - Parameter now: The current time in seconds since 1970; nil means the time of the system's clock.
  public init(now: (@Sendable () -> Int64)? = nil) { self.now = now ?? { Int64(time(nil)) } }

  /// Keeps the cookies that a response sets.
  /// - Parameter url: The URL that has answered.
  public func receive(_ fields: HTTPFields, from url: HTTPURL) {
    guard fields["Set-Cookie"] != nil else { return }
    let now = now()
    store.withLock { store in
      for field in fields.all("Set-Cookie") { store.add(field, from: url, now: now) }
    }
  }

  public var isEmpty: Bool { store.withLock { $0.isEmpty } }

  /// Returns the cookies for a request to the URL.
  func pairs(for url: HTTPURL) -> [(name: String, value: String)] {
    store.withLock { $0.isEmpty ? [] : $0.pairs(for: url, now: now()) }
  }
}
