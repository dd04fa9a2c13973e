/// The outcome of a request for `/robots.txt`, which decides what may be crawled (RFC 9309 §2.3.1).
public enum RobotsAnswer: Sendable, Equatable {
  case rules(RobotsRules)
  /// The site has no such file: everything is allowed.
  case unavailable
  /// The file may exist but cannot be read: nothing is allowed. The text is the reason, a clause for users.
  case unreachable(String)

  /// The number of consecutive redirects that are followed; after more of them, the file counts as
  /// unavailable (RFC 9309 §2.3.1.2).
  public static let maximumRedirects = 5

  /// Returns the answer that a status without rules gives; nil for a success, whose body has the rules.
  /// - Parameter status: The status of the final response. A redirect that cannot be followed, such as 304,
  ///   delivers no file, like a 404. A status that asks for patience says nothing about the file, although
  ///   RFC 9309 counts it as unavailable.
  public init?(status: Int) {
    switch status {
    case 200..<300: return nil
    case 408, 425, 429: self = .unreachable("HTTP \(status)")
    case 300..<500: self = .unavailable
    default: self = .unreachable("HTTP \(status)")
    }
  }
}
