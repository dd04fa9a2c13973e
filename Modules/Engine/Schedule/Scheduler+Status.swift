import LibraryAPI
import Models

extension Scheduler {
  /// Returns the status, by name, of hosts with transfers, and of throttled or failing hosts with waiting
  /// jobs. Hosts without jobs are left out.
  func hostStatus(at now: Double) -> [HostStatus] {
    hosts.status(at: now) { Set(window.jobs.map(\.host)) }
  }

  /// Returns the end of the host's last backoff, which may have passed; nil if there was none.
  func backoffEnd(of host: HostName) -> Double? { hosts.backoffEnd(of: host) }

  /// Returns whether the host has failed too often and is not yet due for another try.
  func isUnreachable(_ host: HostName, at now: Double) -> Bool {
    hosts.unreachableBudget(host, at: now) != nil
  }

  /// Returns whether the request was answered so recently that the store may not hold the answer yet.
  func isRecent(_ request: RequestKey) -> Bool { recent.contains(request) }

  /// Returns whether a resource waits for its request to begin.
  func isWaiting(_ id: ResourceID, for request: RequestKey) -> Bool {
    window[request]?.subscribers.contains { $0.resource.id == id } ?? false
  }

  /// Returns the active requests with subscribers in a record.
  func activeRequests(for record: RecordID) -> [RequestKey] {
    active.transfers.filter { $0.value.job.subscribers(of: record) > 0 }.map(\.key)
  }

  /// Returns the number of waiting and active resources of a record.
  func pendingCount(of record: RecordID?) -> Int {
    guard let record else { return 0 }
    let waiting = window.jobs.reduce(0) { $0 + $1.subscribers(of: record) }
    return active.transfers.values.reduce(waiting) { $0 + $1.job.subscribers(of: record) }
  }
}

extension Job {
  fileprivate func subscribers(of record: RecordID) -> Int {
    subscribers.count { $0.resource.record == record }
  }
}
