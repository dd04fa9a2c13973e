import Hashing

/// The login tokens that have been issued and not used. A token can be used once, within a minute.
struct LoginTokens: Sendable {
  private struct Entry {
    let token: [UInt8]
    /// The time at which the token expires, on the server's clock, in seconds.
    let expiry: Double
  }

  static let validSeconds = 60.0
  /// The maximum number of tokens; a further one replaces the oldest.
  static let limit = 16

  private var entries: [Entry] = []

  /// Adds a token.
  /// - Parameter now: The time on the server's clock, in seconds.
  mutating func add(_ token: String, now: Double) {
    removeExpired(now)
    if entries.count >= Self.limit { entries.removeFirst() }
    entries.append(Entry(token: Array(token.utf8), expiry: now + Self.validSeconds))
  }

  /// Returns whether the token is valid, and invalidates it. All tokens are compared in constant time.
  mutating func use(_ token: String, now: Double) -> Bool {
    removeExpired(now)
    let bytes = Array(token.utf8)
    let matching = entries.indices.filter {
      MessageAuthenticationCode.isEqual(entries[$0].token, bytes)
    }
    guard let index = matching.first else { return false }
    entries.remove(at: index)
    return true
  }

  mutating func removeAll() { entries = [] }

  private mutating func removeExpired(_ now: Double) {
    entries.removeAll { $0.expiry <= now }
  }
}
