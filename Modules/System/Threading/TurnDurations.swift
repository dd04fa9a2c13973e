import Synchronization
import SystemCalls

/// A histogram of the durations of an executor's turns (jobs), in classes of powers of two of a microsecond.
package final class TurnDurations: Sendable {
  private struct State {
    var counts = InlineArray<32, Int>(repeating: 0)
    var longest: UInt64 = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Runs and measures one turn.
  func measure(_ body: () -> Void) {
    let start = Machine.monotonicNanoseconds
    body()
    let time = Machine.monotonicNanoseconds - start
    let microseconds = UInt32(clamping: time / 1_000)
    state.withLock { state in
      state.counts[31 - min(31, microseconds.leadingZeroBitCount)] += 1
      state.longest = max(state.longest, time)
    }
  }

  /// Returns the duration in milliseconds, rounded up to a power of two of a microsecond, that at most the
  /// given share of the turns exceeded.
  package func milliseconds(exceededBy share: Double) -> Double {
    state.withLock { state in
      var rest = 0
      for index in 0..<32 { rest += state.counts[index] }
      let allowed = Int(Double(rest) * share)
      for index in 0..<32 {
        rest -= state.counts[index]
        if rest <= allowed { return Double(UInt64(2) << UInt64(index)) / 1_000 }
      }
      return 0
    }
  }

  package var count: Int {
    state.withLock { state in (0..<32).reduce(0) { $0 + state.counts[$1] } }
  }

  /// The longest duration in milliseconds.
  package var longest: Double { state.withLock { Double($0.longest) / 1_000_000 } }
}
