import Glibc

/// The Lanczos filter: a sinc windowed by the middle lobe of a sinc three times as wide. One half of the
/// symmetric function is kept in a table, because computing the sines for every weight would take as long as
/// resampling the image.
struct LanczosKernel {
  static let shared = LanczosKernel()

  static let lobes = 3.0

  /// The number of table steps per unit of length; the error is below 1/1,000 of the peak.
  static let stepsPerUnit = 1_024

  private let values: [Float]

  private init() {
    let count = Int(Self.lobes) * Self.stepsPerUnit
    values = (0...count).map { step in
      if step == 0 { return 1 }
      if step == count { return 0 }
      let angle = Double(step) / Double(Self.stepsPerUnit) * Double.pi
      return Float(Self.lobes * sin(angle) * sin(angle / Self.lobes) / (angle * angle))
    }
  }

  /// Returns the filter's value.
  /// - Parameter step: The distance from the centre in steps of the table, positive or negative.
  func value(atStep step: Double) -> Float {
    let index = Int(abs(step) + 0.5)
    return index < values.count ? values[index] : 0
  }

  /// Returns the value of the filter with four lobes.
  static func fourLobes(_ distance: Double) -> Double {
    if distance < 1e-9 { return 1 }
    if distance >= 4 { return 0 }
    let angle = distance * Double.pi
    return 4 * sin(angle) * sin(angle / 4) / (angle * angle)
  }
}
