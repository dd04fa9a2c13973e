import Models
import TestSupport
import Testing

@testable import Engine

/// Random runs against the simplest reading of what a scheduler promises.
@Suite struct SchedulerModelTests {
  @Test(
    "For any events: one job per request, never more than the limits, nothing lost, nothing twice",
    arguments: 0..<60)
  func randomRun(seed: Int) {
    var run = RandomRun(seed: UInt64(seed))
    run.play()
    #expect(run.world.faults.isEmpty, "\(run.world.faults.prefix(3)) with seed \(seed)")
  }
}

/// Decides by chance what happens next to a `SchedulerWorld`.
private struct RandomRun {
  var random: SeededGenerator
  var world: SchedulerWorld

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    world = SchedulerWorld(
      limit: Int.random(in: 1...12, using: &random),
      hostLimit: Int.random(in: 1...6, using: &random),
      retries: Int.random(in: 0...2, using: &random))
  }

  mutating func play() {
    addRecord(Int.random(in: 1...200, using: &random))
    for step in 0..<1_500 where world.faults.isEmpty {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: if step < 1_000 { disturb() }
      case 1: transfer()
      default: answer()
      }
    }
    if world.faults.isEmpty { drain() }
  }

  /// Something from outside.
  private mutating func disturb() {
    let record = world.records.keys.sorted().randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<30, using: &random) {
    case 0..<3: addRecord(Int.random(in: 1...40, using: &random))
    case 3..<5: world.changeLimit(Int.random(in: 1...12, using: &random))
    case 5: world.changeHostLimit(Int.random(in: 1...6, using: &random))
    case 6..<8: world.pause(record)
    case 8..<12: world.resume(record)
    case 12..<14:
      world.reorder(record, [.low, .normal, .high].randomElement(using: &random) ?? .low)
    case 14..<20: world.look(at: record, Int.random(in: 0..<30, using: &random))
    case 20..<24: world.lookAway(from: record)
    case 24: world.setDiskBehind(Bool.random(using: &random))
    case 25: world.setPaused(Bool.random(using: &random))
    case 26: world.reload(record)
    case 27:
      world.pushBack(host(), for: Bool.random(using: &random) ? 3 : nil, chance: 0.5)
    case 28: for _ in 0..<4 { world.refuse(host(), chance: 0.5) }
    default: world.send(.queueChanged)
    }
  }

  private mutating func host() -> HostName { "h\(Int.random(in: 0..<5, using: &random))" }

  /// About half of what is asked for was asked for before.
  private mutating func addRecord(_ count: Int) {
    var rows: [(asking: Int64, host: HostName)] = []
    for _ in 0..<count {
      let asking = Int64.random(in: 0..<200, using: &random)
      rows.append((asking, "h\(asking % 5)"))
    }
    world.add(rows, isLazy: Int.random(in: 0..<4, using: &random) == 0)
  }

  private mutating func transfer() {
    if let request = world.cancelled.randomElement(using: &random), Bool.random(using: &random) {
      return world.endCancelled(request, isWhole: Int.random(in: 0..<4, using: &random) == 0)
    }
    guard let request = world.active.keys.sorted().randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: world.fail(request)
    case 1..<3: world.retry(request, in: Double.random(in: 0...5, using: &random))
    case 3..<5:
      world.throttle(
        request, in: Double.random(in: 0...1, using: &random),
        chance: Double.random(in: 0..<1, using: &random))
    default: world.succeed(request)
    }
  }

  private mutating func answer() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: world.writeNext()
    case 4..<6: world.answerLoad()
    case 6: world.readForLoad()
    case 7: if Int.random(in: 0..<8, using: &random) == 0 { world.loseTwin() }
    default: world.pass(Double.random(in: 0...2, using: &random))
    }
  }

  /// Only what must end now: no more disturbance.
  private mutating func drain() {
    world.setDiskBehind(false)
    world.setPaused(false)
    for record in world.records.keys.sorted() { world.resume(record) }
    var steps = 0
    while world.faults.isEmpty, !world.isDone {
      steps += 1
      guard steps < 60_000 else { return world.faults.append("no end") }
      if let request = world.cancelled.first {
        world.endCancelled(request, isWhole: false)
      } else if world.driver.pendingLoad != nil {
        world.answerLoad()
      } else if !world.onTheirWay.isEmpty {
        world.writeNext()
      } else if let request = world.active.keys.min() {
        world.succeed(request)
      } else {
        world.wake()
      }
    }
    world.checkEnd()
  }
}
