import Models

/// The further connections of transfers of large files. Each counts as a transfer, for the limit of all hosts
/// and for the budget of its host. Jobs take precedence: a further connection is granted only while no job
/// or single request could use it, and is withdrawn when one could, or when the limit of its host has fallen.
/// The host is the one that answers the requests, which may be the target of a redirect.
extension Scheduler {
  mutating func endSegment(of request: RequestKey) {
    if let host = active.endSegment(of: request) { release(1, of: host) }
  }

  /// Records that a granted connection was of no use. The next decision would otherwise grant it again, and so
  /// on without end.
  mutating func refuseSegment(of request: RequestKey) {
    active.forgetWish(of: request)
    endSegment(of: request)
    active.forgetIfUnused(request)
  }

  mutating func decideOnSegments(_ action: inout Action, _ now: Double) {
    // The transfer that started first is served first, so that the decision is the same in every run.
    let requests = active.segmentedByStart
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
      active.changeSegments(of: request) { $0.heldUntil = end }
      action.holdSegments.append(SegmentHold(request: request, seconds: end - now))
    }
  }

  /// Withdraws as many connections as waiting jobs and single requests could use, and those beyond the limits.
  private mutating func withdrawSegments(
    from requests: some Sequence<RequestKey>, _ action: inout Action
  ) {
    var pending = active.withdrawnSegments
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
      active.changeSegments(of: request) { $0.withdrawn += count }
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
        active.grantSegment(to: request)
        action.startSegments.append(request)
      case .later(let time):
        if let time { action.wake = min(action.wake ?? .infinity, time) }
        return
      }
    }
  }
}
