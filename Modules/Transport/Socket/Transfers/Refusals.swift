/// Counts how often the request of a transfer was left unprocessed, and limits how often it is sent again.
///
/// A server that closes each connection after a number of requests, or allows few streams, leaves requests
/// unprocessed in the normal course of a long list (RFC 9113 §8.7). Such a refusal is not a failed attempt as
/// long as the server answers other requests in between, so the limit is one of refusals without progress.
struct Refusals {
  /// The maximum number of successive refusals without progress after which a request is sent again.
  static let maximumWithoutProgress = 3
  /// The maximum number of refusals after which a request is sent again, even if the server answers others.
  /// A server that answers one request of each connection refuses those that share the connection with it,
  /// so the limit is the number of streams that a connection may have.
  static let maximum = HTTP2Limits().streams

  /// The number of all refusals.
  private(set) var count = 0
  private var withoutProgress = 0
  /// The number of answers of the origin at the last refusal.
  private var answersBefore: Int?

  /// Counts a refusal.
  /// - Parameters:
  ///   - hasAnswered: Whether the connection has answered a request.
  ///   - answers: The number of requests that the origin has answered so far.
  /// - Returns: Whether the request may be sent again.
  mutating func count(_ refusal: HTTP2Refusal, hasAnswered: Bool, answers: Int) -> Bool {
    count += 1
    if let answersBefore, answersBefore != answers { withoutProgress = 0 }
    answersBefore = answers
    let isProgress =
      switch refusal {
      case .goAway, .unsent: hasAnswered
      case .reset, .connectionLost, .http1Required: false
      // The transfer itself limits the number of these.
      case .misdirected: true
      }
    if !isProgress { withoutProgress += 1 }
    return count <= Self.maximum && withoutProgress <= Self.maximumWithoutProgress
  }
}
