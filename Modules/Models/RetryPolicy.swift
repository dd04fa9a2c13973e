/// Decides when a failed download is retried. Pure: random numbers and times are arguments.
public struct RetryPolicy: Sendable, Equatable {
  /// The number of attempts after the first one.
  public var retries: Int
  /// The delay before the first retry, in seconds; doubles with each attempt.
  public var delay: Double
  /// The longest wait in seconds, also for `Retry-After`.
  public var ceiling: Double

  public init(retries: Int, delay: Double, ceiling: Double) {
    self.retries = retries
    self.delay = delay
    self.ceiling = ceiling
  }

  public init(_ settings: Settings.Network) {
    self.init(
      retries: settings.retries, delay: settings.retryDelay, ceiling: settings.retryCeiling)
  }

  /// The number of bytes by which an attempt must exceed the longest resumable state of the file so far to count
  /// as progress. A server that closes every connection early is therefore asked until the file is complete,
  /// unless it delivers fewer bytes per request. Bytes that are received again after the file began anew are
  /// none: the number of attempts that end the count of failures is at most the size of the file divided by
  /// this number, also if the server never lets a file be continued.
  public static let minimumProgressBytes: Int64 = 4_096

  /// Returns the number of failures that count against `retries` after one more failure.
  /// - Parameters:
  ///   - previous: The failures that counted so far.
  ///   - gained: The bytes by which the failed attempt exceeded the longest resumable state of all earlier
  ///     ones. From `minimumProgressBytes` on, the earlier failures no longer count.
  ///   - wasIdleTimeout: Whether the attempt ended with an idle timeout. It takes longer than any other
  ///     failure, so it counts twice if an earlier failure still counts.
  public static func failures(after previous: Int, gained: Int64, wasIdleTimeout: Bool) -> Int {
    let before = gained >= minimumProgressBytes ? 0 : previous
    return before + (wasIdleTimeout && before > 0 ? 2 : 1)
  }

  public enum Decision: Sendable, Equatable {
    /// Retry after this number of seconds.
    case retry(after: Double)
    case fail
  }

  /// Returns the decision: exponential backoff with full jitter, but at least the server's `Retry-After`.
  /// - Parameters:
  ///   - attempts: The number of failures that count against `retries`, including this one.
  ///   - retryAfter: The wait requested by the server, in seconds.
  ///   - chance: A random number, uniform in 0..<1.
  public func decide(attempts: Int, isRetryable: Bool, retryAfter: Double?, chance: Double)
    -> Decision
  {
    guard isRetryable, attempts <= retries else { return .fail }
    let exponent = Double(min(max(attempts - 1, 0), 30))
    let backoff = min(ceiling, delay * pow2(exponent)) * chance
    return .retry(after: min(ceiling, max(retryAfter ?? 0, backoff)))
  }

  private func pow2(_ exponent: Double) -> Double {
    Double(sign: .plus, exponent: Int(exponent), significand: 1)
  }
}
