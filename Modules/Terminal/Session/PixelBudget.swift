/// How many bytes of pixels a frame may carry, so that even a slow terminal takes a frame in about
/// 50 ms and can show what the user did in the meantime.
struct PixelBudget {
  static let range = 4096...(512 << 10)
  private static let frameSeconds = 0.05

  private(set) var bytes = 256 << 10

  /// - Parameters:
  ///   - count: bytes of a frame that the terminal has taken.
  ///   - seconds: how long it took.
  mutating func learn(count: Int, seconds: Double) {
    // Small frames say nothing: the kernel takes them at once.
    guard count >= bytes / 4 else { return }
    let wanted =
      seconds < Self.frameSeconds / 4
      ? Double(bytes) * 2 : Double(count) / max(seconds, 0.001) * Self.frameSeconds
    bytes = max(Self.range.lowerBound, min(Self.range.upperBound, Int(min(wanted, 1e9))))
  }
}
