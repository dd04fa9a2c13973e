import Models
import Transport

extension Scheduler.HostEvent {
  /// Returns what the failure of a request says about its host; nil if it says nothing.
  /// - Parameters:
  ///   - wasAnswered: Whether the head of a response was received.
  ///   - chance: A random number, uniform in 0..<1.
  init?(
    _ failure: DownloadFailure, startedAt: Double, retryAfter: Double?, wasAnswered: Bool,
    chance: Double
  ) {
    switch failure {
    case .status(let status, _, _) where status == 429 || status == 503:
      self = .throttled(
        startedAt: startedAt, retryAfter: retryAfter, reason: failure.reason, chance: chance)
    case .transport(.connectionRefused, let reason, _), .transport(.dns, let reason, _),
      .transport(.connectTimeout, let reason, _):
      self = .refused(startedAt: startedAt, reason: reason, chance: chance)
    // A host that accepts connections and never answers counts as unreachable.
    case .transport(.idleTimeout, let reason, _) where !wasAnswered:
      self = .refused(startedAt: startedAt, reason: reason, chance: chance)
    // Any other status is an answer, so the host is reachable.
    case .status, .transport(.badRedirect, _, _), .transport(.tooManyRedirects, _, _):
      self = .answered(startedAt: startedAt)
    default: return nil
    }
  }
}
