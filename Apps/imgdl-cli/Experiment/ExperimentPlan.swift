/// The order in which the combinations run.
struct ExperimentPlan: Sendable, Equatable {
  struct PlannedRun: Sendable, Equatable {
    /// The index of the combination.
    let combination: Int
    /// The number of the repetition, from 1. Warm-up runs, which are not evaluated, have numbers below 1.
    let repetition: Int

    var isWarmup: Bool { repetition < 1 }
  }

  let runs: [PlannedRun]

  /// Plans the runs. The order of the combinations is reversed in every other repetition, so that a machine
  /// that gets slower or faster favours no combination.
  init(combinations: Int, repetitions: Int, warmups: Int) {
    var plannedRuns: [PlannedRun] = []
    for repetition in (1 - warmups)..<(repetitions + 1) {
      let forth = Array(0..<combinations)
      // The first measured repetition has the forward order.
      let order = repetition.isMultiple(of: 2) ? forth.reversed() : forth
      plannedRuns += order.map { PlannedRun(combination: $0, repetition: repetition) }
    }
    self.runs = plannedRuns
  }
}
