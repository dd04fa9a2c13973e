import Foundation

/// An estimator of a rate in bytes per second: an exponentially weighted mean over a window of a few seconds.
/// The estimator reads no clock; callers pass the time.
public struct RateEstimator: Sendable {
  /// The shortest step in seconds. A shorter step is merged with the next one, because its rate would reflect
  /// the resolution of the clock rather than the network.
  private static let shortestStep = 0.1

  private let window: Double
  private var last: (time: Double, total: Int64)?
  private var sum = 0.0
  /// The fraction of a full window that `sum` represents. Dividing by this fraction keeps the first estimates
  /// from being too low.
  private var weight = 0.0

  /// - Parameter window: The time in seconds after which the weight of a sample has fallen to 1/e.
  public init(window: Double = 3) { self.window = window }

  public var bytesPerSecond: Double { weight > 0 ? sum / weight : 0 }

  /// Adds a sample.
  /// - Parameters:
  ///   - total: The number of bytes since the start, which never decreases.
  ///   - time: The time in seconds on a monotonic clock.
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
