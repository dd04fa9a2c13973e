import Testing
import Transport

/// When bytes come too slowly, by a clock that the test holds.
@Suite struct SpeedWatchTests {
  private static let second: UInt64 = 1_000_000_000

  /// 100 bytes a second for 60 s.
  private func watch(_ change: (inout TransferLimits) -> Void = { _ in }) -> SpeedWatch {
    var limits = TransferLimits()
    limits.lowSpeed = 100
    limits.lowSpeedTime = 60
    change(&limits)
    return SpeedWatch(limits)
  }

  @Test("Before the first byte nothing is judged")
  func before() {
    var watch = watch()
    #expect(watch.deadline == .max)
    let isTooSlow = watch.isTooSlow(at: .max - 1)
    #expect(!isTooSlow)
  }

  @Test("A window with too few bytes is too slow, one with just enough is not")
  func judged() {
    for (count, isTooSlow) in [(Int64(5_999), true), (6_000, false)] {
      var watch = watch()
      let begins = [watch.receive(1, at: 7), watch.receive(count - 1, at: 10 * Self.second)]
      #expect(begins == [true, false])
      #expect(watch.deadline == 60 * Self.second + 7)
      let judged = [60 * Self.second, 60 * Self.second + 7].map { watch.isTooSlow(at: $0) }
      #expect(judged == [false, isTooSlow])
    }
  }

  @Test("Each window is judged alone: a fast beginning does not compensate a slow end")
  func windows() {
    var watch = watch()
    _ = watch.receive(1_000_000, at: 0)
    let first = watch.isTooSlow(at: 60 * Self.second)
    _ = watch.receive(10, at: 61 * Self.second)
    let second = watch.isTooSlow(at: 120 * Self.second)
    #expect([first, second] == [false, true])
  }

  @Test("Time in which nothing was read is not the server's")
  func excluded() {
    var watch = watch()
    _ = watch.receive(10, at: 0)
    watch.exclude(100 * Self.second)
    #expect(watch.deadline == 160 * Self.second)
    watch.restart(at: 200 * Self.second)
    #expect(watch.deadline == 260 * Self.second)
  }

  @Test("Without a limit or a time nothing is ever too slow, and large numbers do no harm")
  func bounds() {
    for change in [
      { (limits: inout TransferLimits) in limits.lowSpeed = 0 }, { $0.lowSpeedTime = 0 },
      { $0.lowSpeedTime = 1e300 }, { $0.lowSpeedTime = .nan },
    ] {
      var watch = watch(change)
      let begins = watch.receive(1, at: 0)
      #expect(!begins)
      #expect(watch.deadline == .max)
    }
    var watch = watch()
    _ = watch.receive(.max, at: .max - 5)
    _ = watch.receive(.max, at: .max - 4)
    watch.exclude(.max)
    #expect(watch.deadline == .max)
  }
}
