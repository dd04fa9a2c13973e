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

/// The jobs whose transfers run, and the further connections of each. Part of the scheduler.
struct ActiveTransfers: Sendable {
  struct Transfer: Sendable {
    fileprivate(set) var job: Job
    let startedAt: Double
    /// The further connections of the transfer.
    fileprivate(set) var segments = SegmentUse()

    /// The host for which the further connections count.
    var segmentHost: HostName { segments.host ?? job.host }
  }

  private(set) var transfers = KeyTable<RequestKey, Transfer>()
  /// The requests that want or use further connections.
  private(set) var segmented: Set<RequestKey> = []
  /// The number of further connections of all transfers.
  private(set) var segmentCount = 0
  /// Transfers to cancel, because no subscriber is left or because of a pause.
  private var cancelled: [RequestKey] = []

  var count: Int { transfers.count }
  var isEmpty: Bool { transfers.isEmpty }
  var subscriberCount: Int { transfers.values.reduce(0) { $0 + $1.job.subscribers.count } }

  subscript(request: RequestKey) -> Transfer? { transfers[request] }

  func contains(_ request: RequestKey) -> Bool { transfers.contains(request) }

  mutating func start(_ job: Job, at now: Double) {
    transfers.updateValue(Transfer(job: job, startedAt: now), forKey: job.request)
  }

  /// Removes a transfer that has ended, with its further connections.
  mutating func end(_ request: RequestKey) -> Transfer? {
    guard let ended = transfers.removeValue(forKey: request) else { return nil }
    segmented.remove(request)
    segmentCount -= ended.segments.count
    return ended
  }

  // MARK: - Jobs and their subscribers

  mutating func changeJob(of request: RequestKey, _ change: (inout Job) -> Void) {
    transfers.change(request) { change(&$0.job) }
  }

  mutating func changeJobs(_ change: (inout Job) -> Void) {
    for request in Array(transfers.keys) { transfers.change(request) { change(&$0.job) } }
  }

  /// Removes subscribers, and cancels the transfers that have none left by that.
  mutating func removeSubscribers(where isUnwanted: (Job.Subscriber) -> Bool) {
    for request in Array(transfers.keys) {
      guard transfers[request]?.job.subscribers.contains(where: isUnwanted) ?? false else {
        continue
      }
      transfers.change(request) { transfer in
        transfer.job.subscribers.removeAll(where: isUnwanted)
        if transfer.job.subscribers.isEmpty { cancelled.append(request) }
      }
    }
  }

  mutating func cancelAll() { cancelled += transfers.keys }

  /// Returns the transfers to cancel, each time once.
  mutating func takeCancelled() -> [RequestKey] {
    defer { cancelled = [] }
    return cancelled
  }

  // MARK: - Further connections

  /// The requests that want or use further connections, in the order of their starts. The transfer that started
  /// first is served first, so that decisions are the same in every run.
  var segmentedByStart: [RequestKey] {
    segmented.sorted {
      let (a, b) = (transfers[$0]?.startedAt ?? 0, transfers[$1]?.startedAt ?? 0)
      return a == b ? $0 < $1 : a < b
    }
  }

  /// The numbers of connections that transfers were told to return, by host.
  var withdrawnSegments: [HostName: Int] {
    segmented.reduce(into: [:]) { withdrawn, request in
      guard let transfer = transfers[request], transfer.segments.withdrawn > 0 else { return }
      withdrawn[transfer.segmentHost, default: 0] += transfer.segments.withdrawn
    }
  }

  mutating func setWantedSegments(of request: RequestKey, to count: Int, from host: HostName?) {
    let isConcerned = transfers.change(request) { transfer in
      // Connections that were granted stay counted for the host for which they were granted.
      if transfer.segments.count == 0 { transfer.segments.host = host }
      transfer.segments.wanted = max(0, count)
      return transfer.segments.wanted > 0 || transfer.segments.count > 0
    }
    guard let isConcerned else { return }
    if isConcerned { segmented.insert(request) } else { segmented.remove(request) }
  }

  mutating func changeSegments(of request: RequestKey, _ change: (inout SegmentUse) -> Void) {
    transfers.change(request) { change(&$0.segments) }
  }

  mutating func grantSegment(to request: RequestKey) {
    transfers.change(request) { $0.segments.count += 1 }
    segmentCount += 1
  }

  /// Records that a transfer has returned one of its further connections.
  /// - Returns: The host for which it was counted; nil if the transfer has none.
  mutating func endSegment(of request: RequestKey) -> HostName? {
    let host = transfers.change(request) { transfer -> HostName? in
      guard transfer.segments.count > 0 else { return nil }
      transfer.segments.count -= 1
      transfer.segments.withdrawn = max(0, transfer.segments.withdrawn - 1)
      return transfer.segmentHost
    }
    guard let ended = host, let host = ended else { return nil }
    segmentCount -= 1
    return host
  }

  /// Records that a transfer wants no further connection.
  mutating func forgetWish(of request: RequestKey) {
    transfers.change(request) { $0.segments.wanted = 0 }
  }

  /// Forgets a transfer that has returned all of its further connections.
  mutating func forgetIfUnused(_ request: RequestKey) {
    if let transfer = transfers[request], transfer.segments.count == 0 {
      segmented.remove(request)
    }
  }
}
