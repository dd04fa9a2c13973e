/// The order in which the combinations run.
struct ExperimentPlan: Sendable, Equatable {
  struct PlannedRun: Sendable, Equatable {
    /// The index of the combination.
    let combination: Int
    /// The number of the repetition, from 1; 0 and below are warm-ups, which do not count.
    let repetition: Int

    var isWarmup: Bool { repetition < 1 }
  }

  let runs: [PlannedRun]

  /// Plans the turns. The order reverses with each repetition: over two of them each combination has run
  /// equally late, so that a machine that gets slower or faster favours none.
  init(combinations: Int, repetitions: Int, warmups: Int) {
    var turns: [PlannedRun] = []
    for repetition in (1 - warmups)..<(repetitions + 1) {
      let forth = Array(0..<combinations)
      // The first repetition that counts has the forward order.
      let order = repetition.isMultiple(of: 2) ? forth.reversed() : forth
      turns += order.map { PlannedRun(combination: $0, repetition: repetition) }
    }
    self.runs = turns
  }
}
