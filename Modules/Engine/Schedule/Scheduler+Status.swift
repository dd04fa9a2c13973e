import LibraryAPI
import Models

extension Scheduler {
  /// Hosts with transfers, and those that something waits for and against which something is held, by name. What
  /// was held against a host that nobody asks any more is of no interest.
  func hostStatus(at now: Double) -> [HostStatus] {
    let isHeld = hosts.values.contains { $0.active == 0 && !$0.budget.isUntouched }
    let wanted = isHeld ? Set(window.jobs.map(\.host)) : []
    return hosts.compactMap { name, host in
      guard host.active > 0 || wanted.contains(name) else { return nil }
      return HostStatus(
        host: name.text, active: host.active, limit: host.budget.limit,
        waits: host.budget.waitsUntil.flatMap { $0 > now ? $0 - now : nil },
        reason: host.budget.reason)
    }
    .filter { $0.active > 0 || $0.waits != nil || $0.reason != nil }
    .sorted { $0.host < $1.host }
  }

  /// Until when nothing starts there; nil means nothing is held against it.
  func waits(of host: HostName) -> Double? { hosts[host]?.budget.waitsUntil }

  /// Whether the host was tried in vain often enough and is not due to be tried again.
  func isLost(_ host: HostName, at now: Double) -> Bool {
    guard let budget = hosts[host]?.budget else { return false }
    return budget.isLost && budget.waitsUntil ?? 0 > now
  }

  /// Whether an answer came so recently that the store may not name it yet.
  func isRecent(_ request: RequestKey) -> Bool { recent.contains(request) }

  /// Whether a resource waits for its request to begin.
  func isWaiting(_ id: ResourceID, for request: RequestKey) -> Bool {
    window[request]?.subscribers.contains { $0.resource.id == id } ?? false
  }

  /// The active requests that resources of a record wait for.
  func requestsAtWork(for record: RecordID) -> [RequestKey] {
    active.filter { $0.value.job.subscribers(of: record) > 0 }.map(\.key)
  }

  /// Resources of a record that wait or run.
  func waitingCount(of record: RecordID?) -> Int {
    guard let record else { return 0 }
    let waiting = window.jobs.reduce(0) { $0 + $1.subscribers(of: record) }
    return active.values.reduce(waiting) { $0 + $1.job.subscribers(of: record) }
  }
}

extension Job {
  fileprivate func subscribers(of record: RecordID) -> Int {
    subscribers.count { $0.resource.record == record }
  }
}
