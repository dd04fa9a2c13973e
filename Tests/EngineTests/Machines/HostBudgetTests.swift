import Models
import Testing

@testable import Engine

@Suite("Budget of a host")
struct HostBudgetTests {
  private let tooMany = "HTTP 429 Too Many Requests"

  private func pushBack(
    _ budget: inout HostBudget, startedAt: Double? = nil, at now: Double, after: Double? = nil,
    chance: Double = 1
  ) {
    budget.throttled(
      startedAt: startedAt ?? now, at: now, retryAfter: after, reason: tooMany, chance: chance)
  }

  private func refuse(_ budget: inout HostBudget, startedAt: Double? = nil, at now: Double) {
    budget.refused(
      startedAt: startedAt ?? now, at: now, reason: "connection refused", chance: 1)
  }

  @Test("A new host may have all at once")
  func new() {
    var budget = HostBudget(maximum: 16)
    for active in 0..<16 {
      #expect(budget.mayStart(at: 5, active: active))
      #expect(budget.nextStart(at: 5, active: active) == nil)
      budget.started(at: 5)
    }
    #expect(!budget.mayStart(at: 5, active: 16))
    #expect(budget.nextStart(at: 5, active: 16) == nil)
    #expect(budget.reason == nil && budget.backoffEnd == nil)
    #expect(budget.isUntouched)
    #expect(HostBudget(maximum: 0).limit == 1)
  }

  @Test("429 halves the connections, and sixteen of them at once are one")
  func halving() {
    var budget = HostBudget(maximum: 16)
    budget.started(at: 1)
    for reply in 0..<16 {
      pushBack(&budget, startedAt: 1, at: 2 + Double(reply) / 10)
    }
    #expect(budget.limit == 8)
    #expect(budget.reason == tooMany)
    for time in [4.0, 6, 8, 10, 12] { pushBack(&budget, at: time) }
    #expect(budget.limit == 1)
    #expect(!budget.isUntouched)
  }

  @Test("Retry-After holds the host for exactly that long, within the ceiling")
  func retryAfter() {
    var budget = HostBudget(maximum: 4)
    pushBack(&budget, at: 10, after: 7)
    #expect(budget.backoffEnd == 17)
    #expect(!budget.mayStart(at: 16.999, active: 0))
    #expect(budget.nextStart(at: 12, active: 0) == 17)
    #expect(budget.nextStart(at: 12, active: 2) == nil)
    #expect(budget.mayStart(at: 17, active: 0))
    // A reply of the same episode that asks for longer is heard, one that asks for less is not.
    pushBack(&budget, startedAt: 9, at: 11, after: 20)
    #expect(budget.backoffEnd == 31)
    pushBack(&budget, startedAt: 9, at: 11, after: 1)
    #expect(budget.backoffEnd == 31)
    #expect(budget.limit == 2)
  }

  @Test(
    "A host that may be asked again at once has fewer connections, but neither wait nor spacing")
  func retryAtOnce() {
    var budget = HostBudget(maximum: 16)
    for time in [10.0, 20, 30, 40, 50] {
      budget.started(at: time)
      pushBack(&budget, startedAt: time, at: time + 0.1, after: 0)
      #expect(budget.mayStart(at: time + 0.1, active: 0), "neither silence nor spacing")
    }
    #expect(budget.limit == 1 && budget.reason == tooMany)
    // Connections come back with successes; a spacing of before stays as it is.
    for success in 1...120 { budget.succeeded(startedAt: 60, at: 60 + Double(success)) }
    #expect(budget.limit == 16)
    var spaced = HostBudget(maximum: 4)
    pushBack(&spaced, at: 1, after: 1)
    spaced.started(at: 3)
    let next = spaced.nextStart(at: 3, active: 0)
    pushBack(&spaced, startedAt: 3, at: 3, after: 0)
    #expect(spaced.nextStart(at: 3, active: 0) == next && next != nil)
  }

  @Test(
    "No Retry-After holds a host for longer than the ceiling, or backwards",
    arguments: [
      (1e12, 60), (.infinity, 60), (60.5, 60), (-1, 0), (0, 0), (-.infinity, 0), (.nan, 0),
    ] as [(Double, Double)])
  func oddRetryAfter(seconds: Double, wait: Double) {
    var budget = HostBudget(maximum: 4)
    pushBack(&budget, at: 10, after: seconds)
    #expect(budget.backoffEnd == 10 + wait)
    #expect(budget.mayStart(at: 10 + wait, active: 1))
  }

  @Test("Without Retry-After the silence doubles up to the ceiling, half of it by chance")
  func backoff() {
    for (chance, share) in [(1.0, 1.0), (0, 0.5), (0.5, 0.75)] {
      var budget = HostBudget(maximum: 64)
      var now = 1.0
      for wait in [0.5, 1, 2, 4, 8, 16, 32, 60, 60] {
        pushBack(&budget, at: now, chance: chance)
        #expect(budget.backoffEnd == now + wait * share)
        now += 100
      }
    }
  }

  @Test("A success between makes the next silence a short one again")
  func backoffAgain() {
    var budget = HostBudget(maximum: 64)
    for time in [1.0, 100, 200] { pushBack(&budget, at: time) }
    budget.succeeded(startedAt: 150, at: 150)
    pushBack(&budget, at: 300)
    #expect(budget.backoffEnd == 304)
    budget.succeeded(startedAt: 310, at: 310)
    pushBack(&budget, at: 400)
    #expect(budget.backoffEnd == 400.5)
  }

  @Test("Starts are spaced after 429, further with each, and that wears off")
  func spacing() {
    var budget = HostBudget(maximum: 2)
    func gap(_ now: Double) -> Double {
      budget.started(at: now)
      return (budget.nextStart(at: now, active: 0) ?? now) - now
    }
    var gaps: [Double] = []
    for round in 1...8 {
      let time = Double(round * 100)
      pushBack(&budget, at: time)
      gaps.append(gap(time + 90))
    }
    let expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]
    #expect(zip(gaps, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    gaps = []
    for step in 0..<7 {
      for _ in 0..<8 { budget.succeeded(startedAt: 900, at: 900) }
      gaps.append(gap(1_000 + Double(step) * 10))
    }
    #expect(
      zip(gaps, [2.5, 1.25, 0.625, 0.3125, 0.15625, 0, 0]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(budget.isUntouched)
  }

  @Test("Each step of successes gives one connection back; only those of new requests count")
  func recovery() {
    var budget = HostBudget(maximum: 16)
    pushBack(&budget, at: 10, after: 1)
    for _ in 0..<100 { budget.succeeded(startedAt: 9, at: 9) }
    budget.succeeded(startedAt: 10, at: 10)
    #expect(budget.limit == 8)
    var limits: [Int] = []
    for _ in 0..<64 {
      budget.succeeded(startedAt: 12, at: 12)
      limits.append(budget.limit)
    }
    #expect(limits == (0..<64).map { 8 + ($0 + 1) / 8 })
    budget.succeeded(startedAt: 12, at: 12)
    #expect(budget.limit == 16)
  }

  @Test("A push-back or a failure to connect begins the row of successes anew")
  func row() {
    var budget = HostBudget(maximum: 16)
    pushBack(&budget, at: 10, after: 0)
    for _ in 0..<7 { budget.succeeded(startedAt: 12, at: 12) }
    refuse(&budget, at: 13)
    for _ in 0..<7 { budget.succeeded(startedAt: 12, at: 12) }
    #expect(budget.limit == 8)
    pushBack(&budget, at: 20, after: 0)
    for _ in 0..<7 { budget.succeeded(startedAt: 21, at: 21) }
    #expect(budget.limit == 4)
    budget.succeeded(startedAt: 21, at: 21)
    #expect(budget.limit == 5)
  }

  @Test("Three failures to connect in a row make the host wait, and it is tried with one")
  func broken() {
    var budget = HostBudget(maximum: 16)
    refuse(&budget, startedAt: 1, at: 2)
    refuse(&budget, startedAt: 1, at: 2)
    #expect(budget.limit == 16)
    #expect(budget.backoffEnd == nil)
    for _ in 0..<14 { refuse(&budget, startedAt: 1, at: 2) }
    #expect(!budget.isUnreachable)
    #expect(budget.backoffEnd == 2.5)
    #expect(budget.reason == "connection refused")
    #expect(budget.limit == 1)
    #expect(!budget.mayStart(at: 2, active: 0))
    #expect(budget.mayStart(at: 2.5, active: 0))
    #expect(!budget.mayStart(at: 2.5, active: 1))
    for (time, wait) in [(10.0, 1.0), (20, 2), (30, 4), (40, 8), (60, 16), (100, 32), (200, 60)] {
      refuse(&budget, at: time)
      #expect(budget.backoffEnd == time + wait)
    }
    budget.succeeded(startedAt: 300, at: 300)
    #expect(budget.limit == 16)
    #expect(budget.backoffEnd == nil)
    #expect(budget.isUntouched)
  }

  @Test("After as many waits as a request has retries it is lost, until one connection comes about")
  func lost() {
    var network = Settings().network
    for retries in 0...4 {
      network.retries = retries
      var budget = HostBudget(maximum: 16, policy: HostBudget.Policy(network))
      for attempt in 1..<3 + retries {
        refuse(&budget, at: Double(attempt) * 100)
        #expect(!budget.isUnreachable)
      }
      // Those that began together are one more, however many they are.
      for _ in 0..<16 { refuse(&budget, startedAt: 1_000, at: 1_001) }
      #expect(budget.isUnreachable)
      budget.succeeded(startedAt: 2_000, at: 2_000)
      #expect(!budget.isUnreachable && budget.isUntouched)
    }
  }

  @Test("A failure between successes does not make the host wait")
  func flaky() {
    var budget = HostBudget(maximum: 4)
    for round in 1...20 {
      let time = Double(round)
      refuse(&budget, at: time)
      refuse(&budget, at: time)
      budget.succeeded(startedAt: time, at: time)
      #expect(budget.mayStart(at: time, active: 3))
    }
  }

  @Test("Silence that the host asked for outlasts a success that was under way")
  func successInSilence() {
    var budget = HostBudget(maximum: 4)
    pushBack(&budget, at: 10, after: 30)
    budget.succeeded(startedAt: 9, at: 11)
    #expect(budget.backoffEnd == 40)
    #expect(budget.reason == tooMany)
  }

  @Test("A new maximum counts at once, but what was taken stays taken")
  func maximum() {
    var budget = HostBudget(maximum: 16)
    budget.setMaximum(32)
    #expect(budget.limit == 32)
    pushBack(&budget, at: 1, after: 0)
    budget.setMaximum(64)
    #expect(budget.limit == 16)
    budget.setMaximum(4)
    #expect(budget.limit == 4)
    budget.setMaximum(0)
    #expect(budget.limit == 1)
    for _ in 0..<8 { budget.succeeded(startedAt: 2, at: 2) }
    #expect(budget.isUntouched)
  }

  @Test("The settings of single requests bound the waits of the host; 0 is none")
  func settings() {
    var network = Settings().network
    (network.retryDelay, network.retryCeiling) = (0, 0)
    var budget = HostBudget(maximum: 4, policy: HostBudget.Policy(network))
    pushBack(&budget, at: 1, after: 100)
    for _ in 0..<3 { refuse(&budget, at: 2) }
    budget.started(at: 2)
    #expect(budget.backoffEnd == 2)
    #expect(budget.mayStart(at: 2, active: 0))
    (network.retryDelay, network.retryCeiling) = (2, 10)
    let policy = HostBudget.Policy(network)
    #expect(policy.firstWait == 2 && policy.maximumWait == 10 && policy.maximumInterval == 5)
  }
}
