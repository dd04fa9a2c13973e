/// The values of signed or real samples that are shown as black and white.
///
/// The format leaves open what the largest value is. Real numbers from 0 to 1 and to 255 have their usual meaning;
/// measurements, such as heights or densities with negative values, are shown from the smallest to the largest value
/// of the page. Decision 0033 states why.
public struct SampleRange: Sendable {
  public private(set) var lowest = Double.infinity
  public private(set) var highest = -Double.infinity

  /// Takes a value into account that may be infinite or no number.
  public mutating func extend(_ value: Double) {
    guard value.isFinite, abs(value) < Self.largestMeasurement else { return }
    lowest = min(lowest, value)
    highest = max(highest, value)
  }

  /// Returns the range with the usual limits, if the values of the page are within them.
  /// - Parameter isReal: Whether the samples are real numbers.
  public func rounded(isReal: Bool) -> SampleRange {
    guard lowest <= highest else { return SampleRange(lowest: 0, highest: 1) }
    if isReal, lowest >= 0, highest <= 1 { return SampleRange(lowest: 0, highest: 1) }
    // Eight bits as signed or real numbers; a picture of which nothing is brighter than a quarter is not meant.
    if lowest >= 0, (64...255).contains(highest) { return SampleRange(lowest: 0, highest: 255) }
    return SampleRange(lowest: min(0, lowest), highest: max(highest, min(0, lowest) + 1))
  }

  public init(lowest: Double, highest: Double) {
    (self.lowest, self.highest) = (lowest, highest)
  }

  public init() {}

  /// The largest number of 32 bits, by which programs mark places without a measurement.
  private static let largestMeasurement = Double(Float.greatestFiniteMagnitude)

  /// Returns a value as eight bits; no number becomes black.
  public func level(_ value: Double) -> UInt8 {
    guard !value.isNaN, value.isInfinite || abs(value) < Self.largestMeasurement else { return 0 }
    let share = (min(max(value, lowest), highest) - lowest) / (highest - lowest)
    return UInt8(min(max(share * 255 + 0.5, 0), 255))
  }
}
