import Models

extension HostBudget {
  /// The parameters of a host's budget. Times are in seconds.
  struct Policy: Sendable, Equatable {
    /// The number of successes that allow one more connection and halve the spacing.
    var successesPerStep = 8
    /// The spacing of starts after the first 429 or 503; doubles with each further one.
    var firstInterval = 0.1
    var maximumInterval = 5.0
    /// The first backoff if the host requests none; doubles with each further one.
    var firstWait = 0.5
    /// The longest backoff, also for `Retry-After`.
    var maximumWait = 60.0
    /// The number of connection failures in a row that begin a backoff.
    var failuresUntilBackoff = 3
    /// The number of connection failures in a row after which the host is unreachable. Simultaneous
    /// failures count once.
    var failuresUntilUnreachable = 7

    init() {}

    /// Creates a policy with the delays of the retries of single requests. After its first backoff, a host
    /// is tried as many times as a single request is retried.
    init(_ settings: Settings.Network) {
      firstWait = settings.retryDelay
      maximumWait = settings.retryCeiling
      maximumInterval = min(maximumInterval, maximumWait)
      firstInterval = min(firstInterval, maximumInterval)
      failuresUntilUnreachable = failuresUntilBackoff + settings.retries
    }

    /// Returns the wait after `times` failures: doubled each time and then reduced by up to half at random,
    /// so that clients do not repeat their requests at the same moment.
    func backoff(_ times: Int, chance: Double) -> Double {
      let doubling = Double(sign: .plus, exponent: min(max(times - 1, 0), 30), significand: 1)
      return min(maximumWait, firstWait * doubling) * (0.5 + min(max(0, chance), 1) / 2)
    }
  }
}
