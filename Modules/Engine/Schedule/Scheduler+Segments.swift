import Models

/// The further connections of one transfer.
struct SegmentUse: Sendable {
  /// The number that the transfer can use.
  var wanted = 0
  /// The number that it was granted and has not returned.
  var count = 0
  /// Whether the transfer was told to return them.
  var isWithdrawn = false
}

/// The further connections of transfers of large files. Each counts as a transfer, for the limit of all hosts
/// and for the budget of its host. Jobs take precedence: a further connection is granted only while no job
/// could use it, and is withdrawn when one could.
extension Scheduler {
  mutating func setWantedSegments(of request: RequestKey, to count: Int) {
    let isConcerned = active.change(request) { running in
      running.segments.wanted = max(0, count)
      return running.segments.wanted > 0 || running.segments.count > 0
    }
    guard let isConcerned else { return }
    if isConcerned { segmented.insert(request) } else { segmented.remove(request) }
  }

  mutating func endSegment(of request: RequestKey) {
    let host = active.change(request) { running -> HostName? in
      guard running.segments.count > 0 else { return nil }
      running.segments.count -= 1
      if running.segments.count == 0 { running.segments.isWithdrawn = false }
      return running.job.host
    }
    guard let ended = host, let host = ended else { return }
    segmentCount -= 1
    hosts.end(host)
    window.unpark(host, count: 1)
  }

  /// Releases the further connections of a transfer that has ended.
  mutating func forgetSegments(of request: RequestKey, _ ended: Active) {
    guard segmented.remove(request) != nil else { return }
    segmentCount -= ended.segments.count
    for _ in 0..<ended.segments.count { hosts.end(ended.job.host) }
  }

  mutating func decideOnSegments(_ action: inout Action, _ now: Double) {
    // The transfer that started first is served first, so that the decision is the same in every run.
    let requests = segmented.sorted {
      let (a, b) = (active[$0]?.startedAt ?? 0, active[$1]?.startedAt ?? 0)
      return a == b ? $0 < $1 : a < b
    }
    for request in requests {
      guard let running = active[request] else { continue }
      let (host, use) = (running.job.host, running.segments)
      let isNeeded = isNeededByJobs(host)
      if use.count > 0, !use.isWithdrawn, isNeeded || isPaused || usedSlots > limit {
        active.change(request) { $0.segments.isWithdrawn = true }
        action.withdrawSegments.append(request)
      }
      guard !isNeeded, !use.isWithdrawn, !running.job.subscribers.isEmpty else { continue }
      grantSegments(to: request, use.wanted - use.count, host, &action, now)
    }
  }

  /// Whether a waiting job could use a connection that a transfer from `host` returns.
  private func isNeededByJobs(_ host: HostName) -> Bool {
    window.readyCount > 0 && usedSlots >= limit
      || window.parkedCount(host) > 0 && !window.isBackingOff(host)
  }

  private mutating func grantSegments(
    to request: RequestKey, _ count: Int, _ host: HostName, _ action: inout Action, _ now: Double
  ) {
    for _ in 0..<max(0, count) where usedSlots < limit && !isPaused && !isDiskBehind {
      switch hosts.countStart(of: host, at: now, isBackingOff: window.isBackingOff(host)) {
      case .now:
        active.change(request) { $0.segments.count += 1 }
        segmentCount += 1
        action.startSegments.append(request)
      case .later(let time):
        if let time { action.wake = min(action.wake ?? .infinity, time) }
        return
      }
    }
  }
}
