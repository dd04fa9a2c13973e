/// The schedule of a cine, which decides when the next image is due. Callers pass the time in seconds.
struct CinePlayback: Sendable {
  /// The index of the frame rate in `rates`.
  private var rate = rates.count - 1
  /// The time at which the next image is due; nil while the cine is stopped.
  private(set) var nextFrame: Double?
  /// The number of images that were skipped to keep the frame rate.
  private(set) var dropped = 0

  private static let rates = [5.0, 10, 15, 24, 30]

  var isOn: Bool { nextFrame != nil }
  var imagesPerSecond: Double { Self.rates[rate] }

  mutating func run(_ isOn: Bool, at now: Double) {
    nextFrame = isOn ? now + 1 / imagesPerSecond : nil
    dropped = 0
  }

  mutating func changeRate(by step: Int, at now: Double) {
    rate = min(max(0, rate + step), Self.rates.count - 1)
    if isOn { run(true, at: now) }
  }

  /// Advances the cine to the time `now`, and counts the images that are skipped to stay in step with the
  /// clock.
  /// - Returns: The number of images to advance by; nil if none is due.
  mutating func advance(to now: Double) -> Int? {
    guard let due = nextFrame, now >= due else { return nil }
    let steps = 1 + Int(min(1e6, (now - due) * imagesPerSecond))
    dropped += steps - 1
    nextFrame = due + Double(steps) / imagesPerSecond
    return steps
  }
}
