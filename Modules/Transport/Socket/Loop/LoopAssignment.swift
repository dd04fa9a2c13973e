import Models

/// Spreads transfers over the event loops: each origin's limit is divided among them, and the loop
/// with the least to do for the origin is next. One transfer after the other stays on one loop, so
/// that connections are reused.
struct LoopAssignment {
  private let loopCount: Int
  private let limitPerOrigin: Int
  private var active: [HTTPURL.Origin: [Int]] = [:]

  /// - Parameter limitPerOrigin: connections to one origin over all loops.
  init(loopCount: Int, limitPerOrigin: Int) {
    self.loopCount = max(1, loopCount)
    self.limitPerOrigin = max(1, limitPerOrigin)
  }

  /// The loop for the next transfer, and how many connections it may have to the origin.
  mutating func assign(_ origin: HTTPURL.Origin) -> (loop: Int, limit: Int) {
    var counts = active[origin] ?? Array(repeating: 0, count: loopCount)
    let first = Int(UInt(bitPattern: origin.hashValue) % UInt(loopCount))
    var best = (loop: first, limit: share(0))
    for step in 1..<max(2, loopCount) where step < loopCount && share(step) > 0 {
      let loop = (first + step) % loopCount
      if counts[loop] * best.limit < counts[best.loop] * share(step) {
        best = (loop, share(step))
      }
    }
    counts[best.loop] += 1
    active[origin] = counts
    return best
  }

  mutating func release(_ origin: HTTPURL.Origin, loop: Int) {
    guard var counts = active.removeValue(forKey: origin) else { return }
    counts[loop] -= 1
    if counts.contains(where: { $0 > 0 }) { active[origin] = counts }
  }

  /// The part of the limit that the loop at `step` after the origin's first one has.
  private func share(_ step: Int) -> Int {
    limitPerOrigin / loopCount + (step < limitPerOrigin % loopCount ? 1 : 0)
  }

  var isIdle: Bool { active.isEmpty }
}
