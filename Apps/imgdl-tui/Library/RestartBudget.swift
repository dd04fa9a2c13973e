/// Limits the restarts of an engine that died, because one that dies at every start must not be restarted for
/// ever. Pure: times are seconds of any monotonic clock.
struct RestartBudget {
  private var times: [Double] = []

  static let limit = 5
  /// The number of seconds for which a restart counts.
  static let period = 60.0

  /// - Returns: Whether another restart is allowed. If it is, it is counted.
  mutating func admits(at now: Double) -> Bool {
    times.removeAll { $0 <= now - Self.period }
    guard times.count < Self.limit else { return false }
    times.append(now)
    return true
  }
}
