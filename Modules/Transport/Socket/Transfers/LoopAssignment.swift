import Models

/// Distributes transfers over the event loops. The connection limit of each origin is divided into
/// a share for each loop, and a transfer is assigned to the loop whose transfers to the origin are
/// fewest in relation to the loop's share. Transfers that follow one another stay on one loop, so
/// that connections are reused.
struct LoopAssignment {
  private let loopCount: Int
  private let limitPerOrigin: Int
  private var active: [HTTPURL.Origin: Load] = [:]

  /// The distribution of one origin's active transfers over the loops.
  private struct Load {
    /// The index of the loop with the largest share of the limit.
    let first: Int
    /// The number of the origin's active transfers on each loop.
    var counts: [Int]
  }

  /// - Parameter limitPerOrigin: The maximum number of connections to one origin over all loops.
  init(loopCount: Int, limitPerOrigin: Int) {
    self.loopCount = max(1, loopCount)
    self.limitPerOrigin = max(1, limitPerOrigin)
  }

  /// Returns the loop for the next transfer, and the maximum number of connections that the loop
  /// may have to the origin.
  mutating func assign(_ origin: HTTPURL.Origin) -> (loop: Int, limit: Int) {
    guard let place = active.index(forKey: origin) else {
      var load = Load(
        first: Int(UInt(bitPattern: origin.hashValue) % UInt(loopCount)),
        counts: Array(repeating: 0, count: loopCount))
      load.counts[load.first] = 1
      active[origin] = load
      return (load.first, share(0))
    }
    let best = next(active.values[place])
    active.values[place].counts[best.loop] += 1
    return best
  }

  private func next(_ load: Load) -> (loop: Int, limit: Int) {
    var best = (loop: load.first, limit: share(0))
    for step in 1..<max(2, loopCount) where step < loopCount && share(step) > 0 {
      let loop = (load.first + step) % loopCount
      if load.counts[loop] * best.limit < load.counts[best.loop] * share(step) {
        best = (loop, share(step))
      }
    }
    return best
  }

  mutating func release(_ origin: HTTPURL.Origin, loop: Int) {
    guard let place = active.index(forKey: origin) else { return }
    active.values[place].counts[loop] -= 1
    if active.values[place].counts.allSatisfy({ $0 <= 0 }) { active.remove(at: place) }
  }

  /// Returns the share of an origin's connection limit for the loop that is `step` positions after
  /// `Load.first`.
  private func share(_ step: Int) -> Int {
    limitPerOrigin / loopCount + (step < limitPerOrigin % loopCount ? 1 : 0)
  }

  var isIdle: Bool { active.isEmpty }
}
