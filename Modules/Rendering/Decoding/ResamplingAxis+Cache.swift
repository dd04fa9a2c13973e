import Synchronization

extension ResamplingAxis {
  /// What an axis is made of.
  private struct Shape: Hashable {
    let sourceCount: Int
    let outputCount: Int
    let covered: Double
    let scale: Double
    let isMirrored: Bool
  }

  /// So many are remembered: a picture needs four, and the next one of a collection mostly has the
  /// same size.
  private static let cacheLimit = 32

  private static let cache = Mutex<[Shape: ResamplingAxis]>([:])

  /// As `init`, remembered.
  static func known(
    sourceCount: Int, outputCount: Int, covered: Double, scale: Double, isMirrored: Bool
  ) -> ResamplingAxis {
    let shape = Shape(
      sourceCount: sourceCount, outputCount: outputCount, covered: covered, scale: scale,
      isMirrored: isMirrored)
    return cache.withLock { cache in
      if let axis = cache[shape] { return axis }
      let axis = ResamplingAxis(
        sourceCount: sourceCount, outputCount: outputCount, covered: covered, scale: scale,
        isMirrored: isMirrored)
      if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[shape] = axis
      return axis
    }
  }
}
