/// The clock of a cine: how many images are to be passed by now. Pure.
struct CinePlayback: Sendable {
  /// Images per second, by its place in `rates`.
  private var rate = rates.count - 1
  /// When the next image is due; nil means it stands.
  private(set) var nextFrame: Double?
  /// Images that there was no time to show.
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

  /// The cine goes on in step with the clock: what it has no time for is left out, and counted.
  /// - Returns: how many images to go on by; nil means none is due.
  mutating func advance(to now: Double) -> Int? {
    guard let due = nextFrame, now >= due else { return nil }
    let steps = 1 + Int(min(1e6, (now - due) * imagesPerSecond))
    dropped += steps - 1
    nextFrame = due + Double(steps) / imagesPerSecond
    return steps
  }
}
