import Rendering

/// Computes the weights with which a sample of a dataset is scaled along one axis.
///
/// The filters are those of OpenCV, with which datasets are commonly made: kernels have a fixed size in source
/// pixels even if the image is reduced, except for `area`, and pixels beyond the edge repeat the edge.
struct SampleAxis: Hashable {
  /// The number of rows that a decoder returned for the image: fewer after scaled decoding.
  let decodedCount: Double
  /// The number of rows of the plane, at least 1.
  let planeCount: Int
  /// The number of decoded rows for each row of the plane: 2 for a colour plane of 4:2:0.
  let share: Int
  let outputCount: Int
  let filter: SampleOptions.Filter

  /// Weights by row, beginning with `first`.
  private struct Taps {
    var first: Int
    var weights: [Double]
  }

  /// Returns the axis for a plane.
  func axis() -> ResamplingAxis {
    // Rows of the decoded image, which has a fraction of a row more than its covered part.
    let rowCount = max(1, Int(decodedCount.rounded(.up)))
    let scale = decodedCount / Double(outputCount)
    let all = (0..<outputCount).map { output -> Taps in
      spread(taps(output, scale, rowCount))
    }
    return Self.packed(all, planeCount)
  }

  /// The weights of decoded rows for one output row.
  private func taps(_ output: Int, _ scale: Double, _ rowCount: Int) -> Taps {
    if filter == .area, scale > 1 { return areaTaps(output, scale, rowCount) }
    if filter == .nearest {
      return Taps(first: min(rowCount - 1, Int(Double(output) * scale)), weights: [1])
    }
    let centre = (Double(output) + 0.5) * scale - 0.5
    let base = centre.rounded(.down)
    let fraction = centre - base
    let reach = filter.reach
    let weights = (1 - reach...reach).map { filter.weight(at: Double($0) - fraction) }
    return Self.clamped(Taps(first: Int(base) + 1 - reach, weights: weights), rowCount)
  }

  /// Each row weighs as much as the output row covers of it.
  private func areaTaps(_ output: Int, _ scale: Double, _ rowCount: Int) -> Taps {
    let (top, bottom) = (Double(output) * scale, min(Double(output + 1) * scale, Double(rowCount)))
    let first = min(Int(top), rowCount - 1)
    let last = min(max(first, Int(bottom.rounded(.up)) - 1), rowCount - 1)
    return Taps(
      first: first,
      weights: (first...last).map { max(0, min(bottom, Double($0 + 1)) - max(top, Double($0))) })
  }

  /// Replaces the rows of the image by those of a coarser plane, from which a codec would interpolate them:
  /// three quarters of the nearer and one quarter of the farther row.
  private func spread(_ taps: Taps) -> Taps {
    guard share > 1 else { return Self.clamped(taps, planeCount) }
    var result = Taps(
      first: taps.first / share - 1,
      weights: Array(repeating: 0, count: taps.weights.count / share + 4))
    for (index, weight) in taps.weights.enumerated() {
      let row = taps.first + index
      let nearer = row / share - result.first
      guard share == 2 else {
        result.weights[nearer] += weight
        continue
      }
      result.weights[nearer] += 0.75 * weight
      result.weights[nearer + (row % 2 == 0 ? -1 : 1)] += 0.25 * weight
    }
    return Self.clamped(result, planeCount)
  }

  /// Adds the weights of rows beyond an edge to the row at the edge.
  private static func clamped(_ taps: Taps, _ count: Int) -> Taps {
    let last = taps.first + taps.weights.count - 1
    guard taps.first < 0 || last >= count else { return taps }
    let (low, high) = (min(max(0, taps.first), count - 1), min(max(0, last), count - 1))
    var weights = [Double](repeating: 0, count: high - low + 1)
    for (index, weight) in taps.weights.enumerated() {
      weights[min(max(taps.first + index, low), high) - low] += weight
    }
    return Taps(first: low, weights: weights)
  }

  /// Gives all output rows the same number of taps.
  private static func packed(_ all: [Taps], _ planeCount: Int) -> ResamplingAxis {
    let tapCount = all.reduce(1) { max($0, $1.weights.count) }
    var starts: [Int] = []
    var weights = [Int16](repeating: 0, count: all.count * tapCount)
    for (output, taps) in all.enumerated() {
      let start = min(taps.first, planeCount - tapCount)
      starts.append(start)
      var values = [Float](repeating: 0, count: tapCount)
      for (index, weight) in taps.weights.enumerated() {
        values[taps.first - start + index] = Float(weight)
      }
      ResamplingAxis.normalise(
        values, values.reduce(0, +), into: &weights, at: output * tapCount)
    }
    return ResamplingAxis(tapCount: tapCount, starts: starts, weights: weights)
  }
}

extension SampleOptions.Filter {
  /// The number of rows on each side of a position that the kernel combines.
  fileprivate var reach: Int {
    switch self {
    case .nearest, .linear, .area: 1
    case .cubic: 2
    case .lanczos: 4
    }
  }

  /// - Parameter distance: The distance of a row from the position, in rows.
  fileprivate func weight(at distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .nearest, .linear, .area: return max(0, 1 - x)
    case .cubic:
      // Keys's kernel with a = -0.75.
      if x <= 1 { return (1.25 * x - 2.25) * x * x + 1 }
      return x < 2 ? ((-0.75 * x + 3.75) * x - 6) * x + 3 : 0
    case .lanczos: return LanczosKernel.fourLobes(x)
    }
  }
}
