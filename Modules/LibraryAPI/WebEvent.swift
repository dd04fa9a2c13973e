/// A change of the web page that is worth a line in the log of its server. None contains a token.
public enum WebEvent: Sendable, Equatable {
  case listening(url: String)
  case stopped
  case loggedIn
  /// A browser sent a login token that is not valid.
  case wrongToken
  /// The page is enabled, and cannot be served.
  case failed(reason: String)
}
