import Testing

@testable import TUIProgram

@Suite("The budget of restarts") struct RestartBudgetTests {
  private var budget = RestartBudget()

  /// Asks at each of the times, one after the other.
  private mutating func answers(at times: some Sequence<Double>) -> [Bool] {
    times.map { budget.admits(at: $0) }
  }

  @Test("admits as many as its limit within a period, and no more")
  mutating func limit() {
    let first = answers(at: (0..<RestartBudget.limit).map { Double($0) })
    #expect(first.allSatisfy { $0 })
    // What is refused does not count, however often somebody asks.
    let refused = answers(at: repeatElement(RestartBudget.period - 0.001, count: 100))
    #expect(!refused.contains(true))
    let next = answers(at: [RestartBudget.period])
    #expect(next == [true])
  }

  @Test("gives each restart back when its own period is over")
  mutating func sliding() {
    let times = [0.0, 10, 20, 30, 40]
    let first = answers(at: times)
    #expect(first == [true, true, true, true, true])
    for time in times {
      let free = time + RestartBudget.period
      let later = answers(at: [free - 0.5, free])
      #expect(later == [false, true])
    }
  }

  @Test("admits restarts without end that are rare, and stops a loop of them")
  mutating func rates() {
    let pause = RestartBudget.period / Double(RestartBudget.limit)
    let rare = answers(at: (0..<1_000).map { Double($0) * pause })
    #expect(rare.allSatisfy { $0 })
    budget = RestartBudget()
    let loop = answers(at: (0..<5_900).map { Double($0) * 0.01 })
    #expect(loop.count { $0 } == RestartBudget.limit)
  }
}
