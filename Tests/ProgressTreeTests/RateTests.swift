import Models
import ProgressTree
import Testing

@Suite("Rate and remaining time")
struct RateTests {
  @Test("A steady stream has its rate from the first sample on")
  func steady() {
    var rate = RateEstimator()
    #expect(rate.bytesPerSecond == 0)
    for step in 0...20 {
      rate.observe(Int64(step) * 500, at: Double(step) / 2)
      if step > 0 { #expect(abs(rate.bytesPerSecond - 1_000) < 1e-6) }
    }
  }

  @Test("A change is followed within the window, for steps of any size")
  func change() {
    for step in [0.1, 0.5, 1.0] {
      var rate = RateEstimator(window: 3)
      var total = 0.0
      var time = 0.0
      func run(_ seconds: Double, at bytesPerSecond: Double) {
        let end = time + seconds - 1e-9
        while time < end {
          time += step
          total += bytesPerSecond * step
          rate.observe(Int64(total), at: time)
        }
      }
      rate.observe(0, at: 0)
      run(30, at: 1_000)
      run(3, at: 0)
      // One window later 1/e of it is left.
      #expect(abs(rate.bytesPerSecond - 368) < 5, "step \(step)")
      run(30, at: 4_000)
      #expect(abs(rate.bytesPerSecond - 4_000) < 5)
    }
  }

  @Test("Samples that are too close together are merged with the next, and lose nothing")
  func shortSteps() {
    var rate = RateEstimator()
    rate.observe(0, at: 0)
    rate.observe(1_000_000, at: 0.000_001)
    #expect(rate.bytesPerSecond == 0)
    rate.observe(1_000_000, at: 1)
    #expect(abs(rate.bytesPerSecond - 1_000_000) < 1)
    rate.observe(1_000_000, at: 0.5)
    #expect(abs(rate.bytesPerSecond - 1_000_000) < 1)
  }

  @Test(
    "The remaining time follows from the remaining bytes and the rate",
    arguments: LockedProgressTree.Adapter.allCases)
  func secondsLeft(_ adapter: LockedProgressTree.Adapter) throws {
    let clock = HandClock()
    let tree = LockedProgressTree(adapter, clock: clock)
    let record = RecordID(1)
    tree.addRecord(record, title: "", total: 3, finished: 0, failed: 0)
    #expect(tree.snapshot().secondsLeft == nil)
    let first = tree.activate(ResourceID(1), in: record, label: "")
    first.expect(1_000)
    clock.turn(.seconds(1))
    first.set(received: 500)
    // 500 of the first and two that are taken for its like, at 500 bytes a second.
    let early = try #require(tree.snapshot().secondsLeft)
    #expect(abs(early - 5) < 1e-6)
    clock.turn(.seconds(1))
    first.set(received: 1_000)
    tree.complete(ResourceID(1), failed: false)
    let second = tree.activate(ResourceID(2), in: record, label: "")
    second.expect(nil)
    let later = try #require(tree.snapshot().secondsLeft)
    #expect(abs(later - 4) < 1e-6)
    #expect(abs(tree.snapshot().bytesPerSecond - 500) < 1e-6)
    for id in [2, 3] as [Int64] {
      _ = tree.activate(ResourceID(id), in: record, label: "")
      tree.complete(ResourceID(id), failed: true)
    }
    #expect(tree.snapshot().secondsLeft == nil)
  }

  @Test("Bytes from before a resumed transfer do not count in the rate")
  func resumed() {
    let clock = HandClock()
    let tree = LockedProgressTree(.counters, clock: clock)
    tree.addRecord(RecordID(1), title: "", total: 1, finished: 0, failed: 0)
    _ = tree.snapshot()
    let counter = tree.activate(ResourceID(1), in: RecordID(1), label: "")
    counter.expect(2_000_000, from: 1_000_000)
    clock.turn(.seconds(1))
    counter.set(received: 1_000_100)
    let progress = tree.snapshot()
    #expect(progress.bytes == 100)
    #expect(abs(progress.bytesPerSecond - 100) < 1e-6)
    #expect(
      progress.active.map(\.activity) == [
        .downloading(received: 1_000_100, expected: 2_000_000)
      ])
  }

  @Test("Impossible lengths do not cause a trap")
  func absurdLengths() {
    let clock = HandClock()
    let tree = LockedProgressTree(.foundation, clock: clock)
    tree.addRecord(RecordID(1), title: "", total: 9, finished: 0, failed: 0)
    for id in 1...3 as ClosedRange<Int64> {
      let counter = tree.activate(ResourceID(id), in: RecordID(1), label: "")
      counter.expect(.max)
      counter.set(received: .max - id)
      counter.set(received: .min)
      counter.set(received: .max)
    }
    clock.turn(.seconds(1))
    let progress = tree.snapshot()
    #expect((0..<1).contains(progress.fraction))
  }
}
