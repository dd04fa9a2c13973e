import Synchronization

extension ResamplingAxis {
  /// The maximum number of cached axes: an image needs four, and the next image of a collection usually has
  /// the same size.
  private static let cacheLimit = 32

  private static let cache = Mutex<[Shape: ResamplingAxis]>([:])

  /// Returns the cached axis of a shape, or creates and caches it.
  static func cached(_ shape: Shape) -> ResamplingAxis {
    cache.withLock { cache in
      if let axis = cache[shape] { return axis }
      let axis = ResamplingAxis(shape)
      if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[shape] = axis
      return axis
    }
  }
}
