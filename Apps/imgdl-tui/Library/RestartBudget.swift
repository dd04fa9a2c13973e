/// Limits the restarts of an engine that died, because an engine that dies at every start must not be
/// restarted forever. Times are seconds of any monotonic clock.
struct RestartBudget {
  private var times: [Double] = []

  static let limit = 5
  /// The time in seconds for which a restart counts towards the limit.
  static let period = 60.0

  /// - Returns: Whether another restart is allowed. An allowed restart is counted.
  mutating func admits(at now: Double) -> Bool {
    times.removeAll { $0 <= now - Self.period }
    guard times.count < Self.limit else { return false }
    times.append(now)
    return true
  }
}
