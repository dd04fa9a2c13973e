public import Models

/// When a failed download is tried again. Pure: chance and time come from outside.
public struct RetryPolicy: Sendable, Equatable {
  /// Attempts after the first one.
  public var retries: Int
  /// Seconds; doubles with each attempt.
  public var delay: Double
  /// Seconds; the longest wait, `Retry-After` included.
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

  /// An attempt that brought so many bytes more of a file that can be continued has made progress.
  /// A server that closes every connection early is thus asked until the file is whole; one that gives
  /// less than the request and its answer cost is not, so that the number of requests for a file is at
  /// most its size divided by this.
  public static let leastProgress: Int64 = 4_096

  /// How many failures count after one more.
  /// - Parameters:
  ///   - previous: failures that counted so far.
  ///   - gained: bytes that the failed attempt added to what the next one continues.
  ///   - wasBackingOff: the attempt ended because nothing came. It has cost more time than any other
  ///     failure, so from the second one on it counts twice.
  public static func failures(after previous: Int, gained: Int64, wasBackingOff: Bool) -> Int {
    let before = gained >= leastProgress ? 0 : previous
    return before + (wasBackingOff && before > 0 ? 2 : 1)
  }

  public enum Decision: Sendable, Equatable {
    /// Seconds from now.
    case retry(after: Double)
    case giveUp
  }

  /// Exponential backoff with full jitter; a server's `Retry-After` is the least wait.
  /// - Parameters:
  ///   - attempts: the failures that count, this one included.
  ///   - retryAfter: seconds that the server asked for.
  ///   - chance: uniform in 0..<1.
  public func decide(attempts: Int, isRetryable: Bool, retryAfter: Double?, chance: Double)
    -> Decision
  {
    guard isRetryable, attempts <= retries else { return .giveUp }
    let exponent = Double(min(max(attempts - 1, 0), 30))
    let backoff = min(ceiling, delay * pow2(exponent)) * chance
    return .retry(after: min(ceiling, max(retryAfter ?? 0, backoff)))
  }

  private func pow2(_ exponent: Double) -> Double {
    Double(sign: .plus, exponent: Int(exponent), significand: 1)
  }
}
