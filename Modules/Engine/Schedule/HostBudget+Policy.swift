import Models

extension HostBudget {
  /// How a host's budget moves. Times are seconds.
  struct Policy: Sendable, Equatable {
    /// Successes for one connection more and for half the spacing.
    var successesPerStep = 8
    /// Spacing of starts after the first 429 or 503; doubles with each further one.
    var firstInterval = 0.1
    var longestInterval = 5.0
    /// The first silence where the host does not say for how long; doubles with each further one.
    var firstWait = 0.5
    /// The longest silence, `Retry-After` included.
    var longestWait = 60.0
    /// Failures to connect in a row that make the host wait.
    var failuresToWait = 3
    /// Failures to connect in a row, those counted once that were under way together, after which
    /// it is lost.
    var failuresToGiveUp = 7

    init() {}

    /// Hosts wait as long as single requests do, and are tried as often once they wait.
    init(_ settings: Settings.Network) {
      firstWait = settings.retryDelay
      longestWait = settings.retryCeiling
      longestInterval = min(longestInterval, longestWait)
      firstInterval = min(firstInterval, longestInterval)
      failuresToGiveUp = failuresToWait + settings.retries
    }

    /// The wait after `times` of something: doubled each time, between half of that and all of it,
    /// so that many clients do not come back as one.
    func wait(_ times: Int, chance: Double) -> Double {
      let doubling = Double(sign: .plus, exponent: min(max(times - 1, 0), 30), significand: 1)
      return min(longestWait, firstWait * doubling) * (0.5 + min(max(0, chance), 1) / 2)
    }
  }
}
