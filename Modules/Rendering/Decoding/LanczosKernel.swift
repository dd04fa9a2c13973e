import Glibc

/// The filter: a sinc under the middle lobe of a sinc three times as wide. Half of it, in a table:
/// sines for every weight of every picture would take as long as the pictures.
struct LanczosKernel {
  static let shared = LanczosKernel()

  static let lobes = 3.0

  /// Steps of the table for each unit of length: the error is below 1/1,000 of the peak.
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

  /// - Parameter step: distance from the middle, in steps of the table, either way.
  func value(atStep step: Double) -> Float {
    let index = Int(abs(step) + 0.5)
    return index < values.count ? values[index] : 0
  }
}
