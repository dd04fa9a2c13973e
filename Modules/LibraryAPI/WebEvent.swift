/// A change of the web page that the server's log reports. No event contains a token.
public enum WebEvent: Sendable, Equatable {
  case listening(url: String)
  case stopped
  case loggedIn
  /// A browser sent an invalid login token.
  case wrongToken
  /// The page is enabled but cannot be served.
  case failed(reason: String)
}
