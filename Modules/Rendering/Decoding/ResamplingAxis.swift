/// The source rows (or columns) and their weights for each row of a scaled image, computed with the Lanczos
/// filter stretched by the reduction factor.
struct ResamplingAxis {
  /// The denominator of the weights: a weight of `unit` means 1.
  static let unit: Int32 = 1 << 14

  /// The number of source rows for each output row.
  let tapCount: Int
  /// The index of the first source row of each output row. `tapCount` source rows exist from that index on.
  let starts: [Int]
  /// The weights: `tapCount` for each output row, whose sum is `unit`.
  let weights: [Int16]

  /// The parameters that determine an axis.
  struct Shape: Hashable {
    /// The number of source rows, at least 1.
    let sourceCount: Int
    /// The number of output rows.
    let outputCount: Int
    /// The number of output rows that the image covers: `outputCount`, or half a row less if two pixels share
    /// a colour sample.
    let covered: Double
    /// The number of source rows per output row.
    let scale: Double
    /// Whether the first output row is computed from the last source rows.
    let isMirrored: Bool
  }

  init(tapCount: Int, starts: [Int], weights: [Int16]) {
    self.tapCount = tapCount
    self.starts = starts
    self.weights = weights
  }

  init(_ shape: Shape) {
    let (sourceCount, outputCount, scale) = (shape.sourceCount, shape.outputCount, shape.scale)
    func position(_ output: Int) -> Double {
      let centre = Double(output) + 0.5
      return (shape.isMirrored ? shape.covered - centre : centre) * scale
    }
    if Self.isExact(scale, offset: position(0)) {
      tapCount = 1
      starts = (0..<outputCount).map { min(max(0, Int(position($0))), sourceCount - 1) }
      weights = Array(repeating: Int16(Self.unit), count: outputCount)
      return
    }
    let stretch = max(1, scale)
    let radius = LanczosKernel.lobes * stretch
    let tapCount = min(sourceCount, Int((radius * 2).rounded(.up)))
    var starts = [Int](repeating: 0, count: outputCount)
    var weights = [Int16](repeating: 0, count: outputCount * tapCount)
    var values = [Float](repeating: 0, count: tapCount)
    let kernel = LanczosKernel.shared
    let steps = Double(LanczosKernel.stepsPerUnit) / stretch
    for output in 0..<outputCount {
      let centre = position(output)
      // The index of the first source row whose centre is within the radius.
      let first = Int((centre - radius + 0.5).rounded(.down))
      let start = min(max(0, first), sourceCount - tapCount)
      starts[output] = start
      var sum: Float = 0
      for tap in 0..<tapCount {
        let value = kernel.value(atStep: (Double(start + tap) + 0.5 - centre) * steps)
        values[tap] = value
        sum += value
      }
      Self.normalise(values, sum, into: &weights, at: output * tapCount)
    }
    self.tapCount = tapCount
    self.starts = starts
    self.weights = weights
  }

  /// Whether each output row equals one source row, so that there is nothing to compute.
  private static func isExact(_ scale: Double, offset: Double) -> Bool {
    let fraction = offset - offset.rounded(.down)
    return abs(scale - 1) < 1e-9 && abs(fraction - 0.5) < 1e-6
  }

  /// Converts the weights to integers whose sum is `unit`; the largest one absorbs the rounding error.
  static func normalise(
    _ values: [Float], _ sum: Float, into weights: inout [Int16], at offset: Int
  ) {
    // A sum of 0 means that the filter lies outside the source, which valid geometry excludes.
    let factor = abs(sum) > 1e-6 ? Float(unit) / sum : 0
    var rest = unit
    var largest = 0
    for tap in values.indices {
      let exact = values[tap] * factor
      // `rounded()` would call the C mathematical library for each weight.
      let weight = Int32(exact + (exact < 0 ? -0.5 : 0.5))
      rest -= weight
      weights[offset + tap] = Int16(clamping: weight)
      if values[tap] > values[largest] { largest = tap }
    }
    weights[offset + largest] = Int16(clamping: Int32(weights[offset + largest]) + rest)
  }
}
