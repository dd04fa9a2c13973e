import Testing

@testable import TransportURLSession

@Suite struct SlotSchedulerTests {
  private typealias Action = SlotScheduler.Action

  /// A schedule whose main slot runs `ids`.
  private func busy(_ ids: [UInt64], capacity: Int = 64) -> SlotScheduler {
    var schedule = SlotScheduler(capacity: capacity)
    for id in ids { _ = schedule.handle(.submitted(id)) }
    _ = schedule.handle(.ready(.main))
    return schedule
  }

  @Test("the first transfer starts the helper, and runs when the helper is ready")
  func start() {
    var schedule = SlotScheduler()
    #expect(schedule.handle(.submitted(1)) == [.start(.main)])
    #expect(schedule.handle(.submitted(2)) == [])
    #expect(schedule.handle(.ready(.main)) == [.run(1, .main), .run(2, .main)])
    #expect(schedule.handle(.submitted(3)) == [.run(3, .main)])
  }

  @Test("transfers beyond the capacity wait, in order, until one is finished")
  func capacity() {
    var schedule = busy([1, 2], capacity: 2)
    #expect(schedule.handle(.submitted(3)) == [])
    #expect(schedule.handle(.submitted(4)) == [])
    #expect(schedule.handle(.submitted(5)) == [])
    #expect(schedule.handle(.withdrawn(4)) == [])
    #expect(schedule.handle(.finished(2)) == [.run(3, .main)])
    #expect(schedule.handle(.finished(1)) == [.run(5, .main)])
  }

  @Test("a helper that dies with one transfer puts the blame on that transfer")
  func culprit() {
    var schedule = busy([1])
    #expect(schedule.handle(.helperDied(.main, unreleased: [])) == [.failCulprit(1)])
    #expect(schedule.handle(.submitted(2)) == [.start(.main)])
  }

  @Test(
    "with several transfers each is repeated alone; only one that kills the helper again is blamed")
  func suspects() {
    var schedule = busy([1, 2, 3])
    #expect(
      schedule.handle(.helperDied(.main, unreleased: [])) == [.start(.solo(0)), .start(.solo(1))])
    #expect(schedule.handle(.ready(.solo(0))) == [.run(1, .solo(0))])
    #expect(schedule.handle(.ready(.solo(1))) == [.run(2, .solo(1))])
    #expect(
      schedule.handle(.helperDied(.solo(1), unreleased: [])) == [.failCulprit(2), .start(.solo(1))])
    #expect(schedule.handle(.finished(1)) == [.run(3, .solo(0))])
    #expect(schedule.handle(.ready(.solo(1))) == [.stop(.solo(1))])
    #expect(schedule.handle(.finished(3)) == [.stop(.solo(0))])
  }

  @Test("fresh transfers do not wait for the suspects")
  func freshTransfers() {
    var schedule = busy([1, 2])
    _ = schedule.handle(.helperDied(.main, unreleased: []))
    #expect(schedule.handle(.submitted(3)) == [.start(.main)])
    #expect(schedule.handle(.ready(.main)) == [.run(3, .main)])
  }

  @Test("suspects without a response run first")
  func order() {
    var schedule = busy([1, 2, 3])
    _ = schedule.handle(.answered(1))
    _ = schedule.handle(.answered(2))
    _ = schedule.handle(.helperDied(.main, unreleased: []))
    #expect(schedule.handle(.ready(.solo(0))) == [.run(3, .solo(0))])
    #expect(schedule.handle(.ready(.solo(1))) == [.run(1, .solo(1))])
  }

  @Test("a transfer beside another one that the helper had not released is not blamed yet")
  func stray() {
    var schedule = busy([1, 2])
    #expect(schedule.handle(.helperDied(.main, unreleased: [2])) == [.start(.solo(0))])
    #expect(schedule.handle(.ready(.solo(0))) == [.run(1, .solo(0))])
    #expect(schedule.handle(.helperDied(.solo(0), unreleased: [])) == [.failCulprit(1)])
  }

  @Test(
    "a helper that dies at its start is tried three times, then all waiting transfers are refused")
  func failedStarts() {
    var schedule = SlotScheduler()
    _ = schedule.handle(.submitted(1))
    _ = schedule.handle(.submitted(2))
    #expect(schedule.handle(.helperDied(.main, unreleased: [])) == [.start(.main)])
    #expect(schedule.handle(.helperDied(.main, unreleased: [])) == [.start(.main)])
    #expect(schedule.handle(.helperDied(.main, unreleased: [])) == [.refuse(1), .refuse(2)])
    // Later ones get tries of their own.
    #expect(schedule.handle(.submitted(3)) == [.start(.main)])
    #expect(schedule.handle(.ready(.main)) == [.run(3, .main)])
  }

  @Test("for any events, each transfer runs at most twice and ends once", arguments: 0..<200)
  func randomWalk(seed: Int) {
    var random = WalkRandom(seed: UInt64(seed))
    var schedule = SlotScheduler(capacity: 4)
    var slots: [SlotScheduler.Slot: Bool] = [:]
    var running: [UInt64: SlotScheduler.Slot] = [:]
    var runs: [UInt64: Int] = [:]
    var ended: [UInt64] = []
    var pending: [Action] = []
    var submitted: UInt64 = 0

    func apply(_ actions: [Action]) { pending += actions }
    for _ in 0..<400 {
      while !pending.isEmpty {
        switch pending.removeFirst() {
        case .start(let slot): slots[slot] = false
        case .stop(let slot): slots[slot] = nil
        case .run(let id, let slot):
          #expect(slots[slot] == true)
          if slot != .main { #expect(!running.values.contains(slot)) }
          running[id] = slot
          runs[id, default: 0] += 1
        case .failCulprit(let id), .refuse(let id): ended.append(id)
        }
      }
      #expect(running.values.count { $0 == .main } <= 4)
      switch Int.random(in: 0..<6, using: &random) {
      case 0,
        1 where submitted < 40:
        submitted += 1
        apply(schedule.handle(.submitted(submitted)))
      case 2, 3:
        if let slot = slots.filter({ !$0.value }).keys.randomElement(using: &random) {
          slots[slot] = true
          apply(schedule.handle(.ready(slot)))
        }
      case 4:
        if let id = running.keys.sorted().randomElement(using: &random) {
          running[id] = nil
          ended.append(id)
          apply(schedule.handle(.finished(id)))
        }
      default:
        if let slot = slots.keys.randomElement(using: &random), Bool.random(using: &random) {
          slots[slot] = nil
          running = running.filter { $0.value != slot }
          apply(schedule.handle(.helperDied(slot, unreleased: [])))
        }
      }
    }
    #expect(Set(ended).count == ended.count)
    #expect(runs.values.allSatisfy { $0 <= 2 })
  }
}

/// SplitMix64.
private struct WalkRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
