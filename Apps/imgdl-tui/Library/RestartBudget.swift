/// How often an engine that died is started again: an engine that dies whenever it begins must not be started
/// for ever. Pure: times are seconds of any clock that never goes back.
struct RestartBudget {
  private var times: [Double] = []

  static let limit = 5
  /// Seconds for which a restart counts.
  static let period = 60.0

  /// - Returns: whether another restart is admitted, which then counts.
  mutating func admits(at now: Double) -> Bool {
    times.removeAll { $0 <= now - Self.period }
    guard times.count < Self.limit else { return false }
    times.append(now)
    return true
  }
}
