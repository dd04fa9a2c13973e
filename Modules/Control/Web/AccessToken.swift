/// A signed token that proves that this library issued it, without a list of sessions. A token stays valid
/// when the server restarts, until the token expires or the key changes.
///
/// The text of a token is `KIND.EXPIRY.NONCE.CODE`, where CODE is the HMAC of the other three parts.
struct AccessToken: Sendable, Equatable {
  enum Kind: String, Sendable {
    /// The token in a browser's session cookie.
    case session
    /// The Bearer token of a script (RFC 6750).
    case bearer
  }

  let kind: Kind
  /// The random identifier of the session or of the script's access. A renewed token has that of the old one.
  let id: String
  /// The time at which the token expires, in Unix seconds.
  let expiry: Int64
}
