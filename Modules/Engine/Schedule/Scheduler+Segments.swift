import Models

/// The further connections of one transfer.
struct SegmentUse: Sendable {
  /// The number that the transfer can use.
  var wanted = 0
  /// The number that it was granted and has not returned.
  var count = 0
  /// The number of those that it was told to return.
  var withdrawn = 0
  /// The host that the connections lead to; nil means that of the job.
  var host: HostName?
  /// The end of the last backoff of the host that the transfer was told.
  var heldUntil = -Double.infinity
}

/// The further connections of transfers of large files. Each counts as a transfer, for the limit of all hosts
/// and for the budget of its host. Jobs take precedence: a further connection is granted only while no job
/// or single request could use it, and is withdrawn when one could, or when the limit of its host has fallen.
/// The host is the one that answers the requests, which may be the target of a redirect.
extension Scheduler {
  mutating func setWantedSegments(of request: RequestKey, to count: Int, from host: HostName?) {
    let isConcerned = active.change(request) { running in
      // Connections that were granted stay counted for the host for which they were granted.
      if running.segments.count == 0 { running.segments.host = host }
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
      running.segments.withdrawn = max(0, running.segments.withdrawn - 1)
      return running.segmentHost
    }
    guard let ended = host, let host = ended else { return }
    segmentCount -= 1
    hosts.end(host)
    window.unpark(host, count: 1)
  }

  /// Records that a granted connection was of no use. The next decision would otherwise grant it again, and so
  /// on without end.
  mutating func refuseSegment(of request: RequestKey) {
    active.change(request) { $0.segments.wanted = 0 }
    endSegment(of: request)
    if let running = active[request], running.segments.count == 0 { segmented.remove(request) }
  }

  /// Releases the further connections of a transfer that has ended.
  mutating func forgetSegments(of request: RequestKey, _ ended: Active) {
    guard segmented.remove(request) != nil else { return }
    segmentCount -= ended.segments.count
    for _ in 0..<ended.segments.count { hosts.end(ended.segmentHost) }
    window.unpark(ended.segmentHost, count: ended.segments.count)
  }

  mutating func decideOnSegments(_ action: inout Action, _ now: Double) {
    // The transfer that started first is served first, so that the decision is the same in every run.
    let requests = segmented.sorted {
      let (a, b) = (active[$0]?.startedAt ?? 0, active[$1]?.startedAt ?? 0)
      return a == b ? $0 < $1 : a < b
    }
    holdSegments(of: requests, &action, now)
    withdrawSegments(from: requests.reversed(), &action)
    for request in requests {
      guard let running = active[request], !running.job.subscribers.isEmpty,
        !isNeeded(running.segmentHost), running.segments.withdrawn == 0
      else { continue }
      let use = running.segments
      grantSegments(to: request, use.wanted - use.count, running.segmentHost, &action, now)
    }
  }

  /// Whether a waiting job or single request could use a connection that a transfer from `host` returns.
  private func isNeeded(_ host: HostName) -> Bool {
    usableSlotCount > 0 && usedSlots >= limit || connectionsNeeded(for: host) > 0
  }

  /// The number of slots that ready jobs and single requests could use.
  private var usableSlotCount: Int { window.readyCount + singleRequests.waiting.count }

  /// The number of jobs and single requests that wait for a connection to the host.
  private func connectionsNeeded(for host: HostName) -> Int {
    window.isBackingOff(host) ? 0 : window.parkedCount(host) + singleRequests.waitingCount(host)
  }

  /// Tells transfers that their host is backing off. Their running requests are not affected.
  private mutating func holdSegments(
    of requests: [RequestKey], _ action: inout Action, _ now: Double
  ) {
    for request in requests {
      guard let running = active[request], let end = hosts.backoffEnd(of: running.segmentHost),
        end > now, end > running.segments.heldUntil
      else { continue }
      active.change(request) { $0.segments.heldUntil = end }
      action.holdSegments.append(SegmentHold(request: request, seconds: end - now))
    }
  }

  /// Withdraws as many connections as waiting jobs and single requests could use, and those beyond the limits.
  private mutating func withdrawSegments(
    from requests: some Sequence<RequestKey>, _ action: inout Action
  ) {
    var pending = segmented.reduce(into: [HostName: Int]()) { pending, request in
      guard let running = active[request], running.segments.withdrawn > 0 else { return }
      pending[running.segmentHost, default: 0] += running.segments.withdrawn
    }
    for request in requests {
      guard let running = active[request] else { continue }
      let (host, use) = (running.segmentHost, running.segments)
      let excess =
        max(0, usedSlots - limit) + (usedSlots >= limit ? usableSlotCount : 0)
        - pending.values.reduce(0, +)
      let neededOfHost =
        hosts.excess(of: host) + connectionsNeeded(for: host) - pending[host, default: 0]
      let needed = isPaused ? use.count : max(excess, neededOfHost)
      let count = min(needed, use.count - use.withdrawn)
      guard count > 0 else { continue }
      active.change(request) { $0.segments.withdrawn += count }
      pending[host, default: 0] += count
      action.withdrawSegments.append(contentsOf: repeatElement(request, count: count))
    }
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
