/// The number of rows that one turn may handle without exceeding its time limit, adapted to the measured
/// times of earlier turns.
struct RowPace {
  private(set) var rows: Int
  private let bounds: ClosedRange<Int>

  private let timeLimit: Double

  /// - Parameter longest: The time limit of one turn, in seconds.
  init(within bounds: ClosedRange<Int> = 8...2_048, longest: Double = 0.001) {
    self.bounds = bounds
    self.timeLimit = longest
    rows = max(min(64, bounds.upperBound), bounds.lowerBound)
  }

  /// Adapts the number of rows to `seconds`, the time that the last turn took.
  mutating func adapt(to seconds: Double) {
    if seconds > timeLimit {
      rows = max(bounds.lowerBound, rows / 2)
    } else if seconds < timeLimit / 3 {
      rows = min(bounds.upperBound, rows * 2)
    }
  }
}
