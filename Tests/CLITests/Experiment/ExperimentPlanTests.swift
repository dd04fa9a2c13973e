import Testing

@testable import CLIProgram

@Suite struct ExperimentPlanTests {
  @Test("the order turns around with each repetition")
  func alternates() {
    let plan = ExperimentPlan(combinations: 3, repetitions: 3, warmups: 0)
    #expect(plan.runs.map(\.combination) == [0, 1, 2, 2, 1, 0, 0, 1, 2])
    #expect(plan.runs.map(\.repetition) == [1, 1, 1, 2, 2, 2, 3, 3, 3])
    #expect(!plan.runs.contains { $0.isWarmup })
  }

  @Test(
    "over an even number of repetitions each combination runs equally late",
    arguments: [1, 2, 5, 8], [2, 4, 10])
  func balanced(_ combinations: Int, _ repetitions: Int) {
    let turns = ExperimentPlan(
      combinations: combinations, repetitions: repetitions, warmups: 0
    ).runs
    let sums = (0..<combinations).map { combination in
      turns.indices.filter { turns[$0].combination == combination }.reduce(0, +)
    }
    #expect(Set(sums).count == 1, "\(sums)")
  }

  @Test("warm-ups of every combination are first, and are marked")
  func warmups() {
    let turns = ExperimentPlan(combinations: 2, repetitions: 1, warmups: 2).runs
    #expect(turns.map(\.isWarmup) == [true, true, true, true, false, false])
    #expect(turns.map(\.combination) == [0, 1, 1, 0, 0, 1])
  }
}
