import Foundation

/// Bytes per second, as an exponentially weighted mean over a window of a few seconds. A pure
/// machine: it is told the time.
public struct RateEstimator: Sendable {
  /// Shorter steps say more of the clock than of the network: they wait for the next one.
  private static let shortestStep = 0.1

  private let window: Double
  private var last: (time: Double, total: Int64)?
  private var sum = 0.0
  /// How much of a full window `sum` represents: the first seconds are not held down by the empty
  /// time before them.
  private var weight = 0.0

  /// - Parameter window: seconds after which a sample counts for 1/e.
  public init(window: Double = 3) { self.window = window }

  public var bytesPerSecond: Double { weight > 0 ? sum / weight : 0 }

  /// - Parameters:
  ///   - total: bytes since the beginning; never less than before.
  ///   - time: seconds on a clock that never jumps.
  public mutating func observe(_ total: Int64, at time: Double) {
    guard let before = last else {
      last = (time, total)
      return
    }
    let step = time - before.time
    guard step >= Self.shortestStep else { return }
    let kept = exp(-step / window)
    sum = sum * kept + Double(max(0, total - before.total)) / step * (1 - kept)
    weight = weight * kept + 1 - kept
    last = (time, total)
  }
}
