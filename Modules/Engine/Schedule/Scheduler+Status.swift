import Models

extension Scheduler {
  /// Hosts with transfers, and those against which something is held, by name.
  func hostStatus(at now: Double) -> [HostStatus] {
    hosts.map { name, host in
      HostStatus(
        host: name, active: host.active, limit: host.budget.limit,
        waits: host.budget.waitsUntil(at: now).map { $0 - now },
        reason: host.budget.reason(at: now))
    }
    .filter { $0.active > 0 || $0.waits != nil || $0.reason != nil }
    .sorted { $0.host < $1.host }
  }

  /// Until when nothing starts there; nil: nothing is held against it.
  func waits(of host: String, at now: Double) -> Double? {
    hosts[host]?.budget.waitsUntil(at: now)
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
