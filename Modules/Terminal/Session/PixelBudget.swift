/// The number of bytes of pixels per frame, adapted so that even a slow terminal accepts a frame within about
/// 50 ms and the program can react to the user between frames.
struct PixelBudget {
  static let range = 4096...(512 << 10)
  private static let frameSeconds = 0.05

  private(set) var bytes = 256 << 10

  /// Adapts the budget to a measurement.
  /// - Parameters:
  ///   - count: The number of bytes of a frame that the terminal has accepted.
  ///   - seconds: The duration of the write in seconds.
  mutating func adapt(count: Int, seconds: Double) {
    // Small frames are ignored, because the kernel buffers them at once, however slow the terminal is.
    guard count >= bytes / 4 else { return }
    let wanted =
      seconds < Self.frameSeconds / 4
      ? Double(bytes) * 2 : Double(count) / max(seconds, 0.001) * Self.frameSeconds
    bytes = max(Self.range.lowerBound, min(Self.range.upperBound, Int(min(wanted, 1e9))))
  }
}
