/// For each row (or column) of a smaller picture: which rows of the larger one it is made of, and
/// with what weights, by the Lanczos filter stretched by the factor of reduction.
struct ResamplingAxis {
  /// Weights are fractions of this.
  static let unit: Int32 = 1 << 14

  /// Source rows for each output row.
  let tapCount: Int
  /// The first source row of each output row; `tapCount` rows from there exist.
  let starts: [Int]
  /// `tapCount` for each output row, each run with the sum `unit`.
  let weights: [Int16]

  /// What an axis is made of.
  struct Shape: Hashable {
    /// Rows there are, at least 1.
    let sourceCount: Int
    /// Rows wanted.
    let outputCount: Int
    /// Rows of the output that the image covers: `outputCount`, or less by a half where two pixels
    /// share a colour sample.
    let covered: Double
    /// Source rows for one output row.
    let scale: Double
    /// The first output row is made of the last source rows.
    let isMirrored: Bool
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
      // The first row whose middle is within the radius.
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

  /// Nothing to compute: each output row is one source row.
  private static func isExact(_ scale: Double, offset: Double) -> Bool {
    let fraction = offset - offset.rounded(.down)
    return abs(scale - 1) < 1e-9 && abs(fraction - 0.5) < 1e-6
  }

  /// Whole numbers whose sum is `unit`; the largest takes what rounding left over.
  private static func normalise(
    _ values: [Float], _ sum: Float, into weights: inout [Int16], at offset: Int
  ) {
    // A centre outside of the source by more than the radius cannot come from sound geometry.
    let factor = abs(sum) > 1e-6 ? Float(unit) / sum : 0
    var rest = unit
    var largest = 0
    for tap in values.indices {
      let exact = values[tap] * factor
      // Not `rounded()`: that is a call into the mathematical library.
      let weight = Int32(exact + (exact < 0 ? -0.5 : 0.5))
      rest -= weight
      weights[offset + tap] = Int16(clamping: weight)
      if values[tap] > values[largest] { largest = tap }
    }
    weights[offset + largest] = Int16(clamping: Int32(weights[offset + largest]) + rest)
  }
}
