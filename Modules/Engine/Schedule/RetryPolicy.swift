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

  public enum Decision: Sendable, Equatable {
    /// Seconds from now.
    case retry(after: Double)
    case giveUp
  }

  /// Exponential backoff with full jitter; a server's `Retry-After` is the least wait.
  /// - Parameters:
  ///   - attempts: how many have failed, this one included.
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
