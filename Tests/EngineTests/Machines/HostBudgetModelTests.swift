import TestSupport
import Testing

@testable import Engine

/// Random runs of a client against a server of moods, held to what `HostBudget` promises.
@Suite("Budget of a host, at random")
struct HostBudgetModelTests {
  @Test("Never beyond the limit, never in a silence; and all comes back", arguments: 0..<60)
  func randomRun(seed: Int) {
    var run = HostRun(seed: UInt64(seed))
    run.play()
    #expect(run.faults.isEmpty, "\(run.faults.prefix(3)) with seed \(seed)")
  }
}

private struct HostRun {
  var random: SeededGenerator
  var budget: HostBudget
  var maximum: Int
  var now = 0.0
  /// When each request under way began.
  var active: [Double] = []
  var faults: [String] = []

  // What is known without the machine.
  var lastFall = -Double.infinity
  var backoffEnd = 0.0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    maximum = Int.random(in: 1...20, using: &random)
    budget = HostBudget(maximum: maximum)
  }

  mutating func play() {
    for step in 0..<3_000 where faults.isEmpty {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50: start()
      case 50..<85: end(moody: step % 700 > 400)
      case 85..<99: now += Double.random(in: 0...1, using: &random)
      default:
        maximum = Int.random(in: 1...20, using: &random)
        budget.setMaximum(maximum)
      }
      check()
    }
    recover()
  }

  private mutating func start() {
    guard budget.mayStart(at: now, active: active.count) else {
      guard let next = budget.nextStart(at: now, active: active.count) else {
        if active.count < budget.limit { faults.append("neither now nor ever") }
        return
      }
      if next <= now { faults.append("look again in the past") }
      if !budget.mayStart(at: next, active: active.count) { faults.append("looked in vain") }
      return
    }
    if active.count >= budget.limit { faults.append("beyond the limit") }
    if now < backoffEnd { faults.append("in a silence") }
    budget.started(at: now)
    active.append(now)
  }

  private mutating func end(moody: Bool) {
    guard !active.isEmpty else { return }
    let began = active.remove(at: Int.random(in: 0..<active.count, using: &random))
    let before = budget.limit
    let chance = Double.random(in: 0..<1, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3 where moody:
      let seconds = [nil, nil, 0, 3, 1e9].randomElement(using: &random) ?? nil
      budget.throttled(
        startedAt: began, at: now, retryAfter: seconds, reason: "429", chance: chance)
      let fell = budget.limit < before
      if fell, began <= lastFall { faults.append("fell twice for one thing") }
      let isNews = began > lastFall
      if isNews { lastFall = now }
      if let seconds { backoffEnd = max(backoffEnd, now + min(seconds, 60)) }
      // A late answer to a request of before, of a host that is well again meanwhile, changes nothing.
      if budget.reason == nil, isNews || seconds != nil { faults.append("no reason") }
    case 3..<5 where moody:
      budget.refused(startedAt: began, at: now, reason: "refused", chance: chance)
    default:
      budget.succeeded(startedAt: began, at: now)
      if budget.limit < before { faults.append("a success took something") }
    }
    if let wait = budget.backoffEnd, wait > now + 60 { faults.append("too long") }
  }

  private mutating func check() {
    if !(1...maximum).contains(budget.limit) { faults.append("limit \(budget.limit)") }
    if backoffEnd > now, budget.backoffEnd ?? 0 < backoffEnd { faults.append("forgot a silence") }
  }

  /// From now on the server is well: counts how many successes it takes.
  private mutating func recover() {
    active = []
    let policy = budget.policy
    var spacingSteps = 0
    var interval = policy.maximumInterval
    while interval >= policy.firstInterval {
      interval /= 2
      spacingSteps += 1
    }
    let bound = policy.successesPerStep * max(maximum - 1, spacingSteps)
    var successes = 0
    while !budget.isUntouched, faults.isEmpty {
      guard successes < bound || successes == 0 else {
        return faults.append("not as new after \(successes) successes")
      }
      now = budget.nextStart(at: now, active: 0) ?? now + 0.001
      guard budget.mayStart(at: now, active: 0) else { return faults.append("no start") }
      budget.started(at: now)
      budget.succeeded(startedAt: now, at: now)
      successes += 1
    }
    if budget.limit != maximum { faults.append("less than all") }
    for count in 0..<maximum where !budget.mayStart(at: now, active: count) {
      faults.append("held without a reason")
    }
  }
}
