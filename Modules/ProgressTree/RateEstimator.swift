import Glibc

/// A rate, smoothed exponentially. Pure: time comes from outside.
struct RateEstimator {
  /// Seconds after which an old rate counts for a third.
  private let window: Double
  private var last: (time: Double, count: Double)?
  private(set) var perSecond = 0.0

  init(window: Double = 3) { self.window = window }

  /// - Parameters:
  ///   - count: what there is in all; never falls.
  ///   - time: seconds on a monotonic clock.
  mutating func note(_ count: Double, at time: Double) {
    guard let last else {
      self.last = (time, count)
      return
    }
    let elapsed = time - last.time
    // Too short a step says nothing; it is added to the next one.
    guard elapsed >= 0.05 else { return }
    let current = max(0, count - last.count) / elapsed
    let old = perSecond == 0 ? 0 : exp(-elapsed / window)
    perSecond = perSecond * old + current * (1 - old)
    self.last = (time, count)
  }
}
