import Glibc

/// For each row (or column) of a smaller picture: which rows of the larger one it is made of, and
/// with what weights. Lanczos with three lobes, stretched by the factor of reduction.
struct ResamplingAxis {
  /// Weights are fractions of this.
  static let unit: Int32 = 1 << 14

  private static let lobes = 3.0

  /// Source rows for each output row.
  let tapCount: Int
  /// The first source row of each output row; `tapCount` rows from there exist.
  let starts: [Int]
  /// `tapCount` for each output row, each run with the sum `unit`.
  let weights: [Int16]

  /// - Parameters:
  ///   - sourceCount: rows there are, at least 1.
  ///   - outputCount: rows wanted.
  ///   - covered: rows of the output that the image covers: `outputCount`, or less by a half where
  ///     two pixels share a colour sample.
  ///   - scale: source rows for one output row.
  ///   - isMirrored: the first output row is made of the last source rows.
  init(sourceCount: Int, outputCount: Int, covered: Double, scale: Double, isMirrored: Bool) {
    func position(_ output: Int) -> Double {
      let centre = Double(output) + 0.5
      return (isMirrored ? covered - centre : centre) * scale
    }
    if Self.isExact(scale, offset: position(0)) {
      tapCount = 1
      starts = (0..<outputCount).map { min(max(0, Int(position($0))), sourceCount - 1) }
      weights = Array(repeating: Int16(Self.unit), count: outputCount)
      return
    }
    let stretch = max(1, scale)
    let radius = Self.lobes * stretch
    let tapCount = min(sourceCount, Int((radius * 2).rounded(.up)) + 1)
    var starts: [Int] = []
    var weights: [Int16] = []
    starts.reserveCapacity(outputCount)
    weights.reserveCapacity(outputCount * tapCount)
    for output in 0..<outputCount {
      let centre = position(output)
      let first = Int((centre - radius).rounded(.down))
      let start = min(max(0, first), sourceCount - tapCount)
      let values = (start..<(start + tapCount)).map { source in
        Self.lanczos((Double(source) + 0.5 - centre) / stretch)
      }
      starts.append(start)
      weights.append(contentsOf: Self.normalised(values))
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

  private static func lanczos(_ x: Double) -> Double {
    if abs(x) < 1e-9 { return 1 }
    if abs(x) >= lobes { return 0 }
    let angle = x * Double.pi
    return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
  }

  /// Whole numbers whose sum is `unit`; the largest takes what rounding left over.
  private static func normalised(_ values: [Double]) -> [Int16] {
    let sum = values.reduce(0, +)
    // A centre outside of the source by more than the radius cannot come from sound geometry.
    let factor = abs(sum) > 1e-6 ? Double(unit) / sum : 0
    var result = values.map { Int32(($0 * factor).rounded()) }
    let largest = result.indices.max { result[$0] < result[$1] } ?? 0
    result[largest] += unit - result.reduce(0, +)
    return result.map { Int16(clamping: $0) }
  }
}
