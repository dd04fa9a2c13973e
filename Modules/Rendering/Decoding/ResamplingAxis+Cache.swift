import Synchronization

extension ResamplingAxis {
  /// So many are remembered: a picture needs four, and the next one of a collection mostly has the
  /// same size.
  private static let cacheLimit = 32

  private static let cache = Mutex<[Shape: ResamplingAxis]>([:])

  /// As `init`, remembered.
  static func known(_ shape: Shape) -> ResamplingAxis {
    cache.withLock { cache in
      if let axis = cache[shape] { return axis }
      let axis = ResamplingAxis(shape)
      if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[shape] = axis
      return axis
    }
  }
}
