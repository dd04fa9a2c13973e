import Models

/// The part of the queue that is held in memory, sorted so that the jobs of busy hosts and delayed jobs
/// cost no time until they may start. Part of `Scheduler`.
///
/// Every waiting job is in exactly one list: *ready* (it may start as soon as a slot is free), *parked*
/// (its host is at its limit or backing off) or *delayed* (it waits for its own retry time). The delayed ones
/// are in descending order: the next job is last, so that removing it is cheap.
struct WaitingWindow: Sendable {
  private enum WaitingList: Sendable { case ready, parked, delayed }

  private struct Entry: Sendable {
    var job: Job
    var key: QueueKey
    var list: WaitingList
  }

  private struct Delayed: Sendable {
    let time: Double
    let request: RequestKey
  }

  private struct Backoff: Sendable {
    let time: Double
    let host: HostName
  }

  private var entries = KeyTable<RequestKey, Entry>()
  private var ready = StartOrder()
  private var parked = KeyTable<HostName, StartOrder>()
  private var delayed: [Delayed] = []
  /// Hosts with parked jobs that are backing off, and the end of each backoff.
  private var backoffEnds = KeyTable<HostName, Double>()
  private var backoffs: [Backoff] = []
  /// The number of subscribers of all jobs.
  private(set) var count = 0

  var isEmpty: Bool { entries.isEmpty }
  var readyCount: Int { ready.count }

  func isBackingOff(_ host: HostName) -> Bool { backoffEnds.contains(host) }

  /// The end of the host's backoff; nil if the host is not backing off.
  func backoffEnd(of host: HostName) -> Double? { backoffEnds[host] }

  subscript(request: RequestKey) -> Job? { entries[request]?.job }

  func contains(_ request: RequestKey) -> Bool { entries.contains(request) }

  /// The earliest time at which a delayed job or a host's backoff ends; nil if there is none.
  var nextWake: Double? {
    let first = min(delayed.last?.time ?? .infinity, backoffs.last?.time ?? .infinity)
    return first.isFinite ? first : nil
  }

  // MARK: - Adding and removing

  /// Adds jobs as ready, in places of their own: they yield to none. Their requests must not be in the window.
  mutating func append(_ jobs: [Job]) {
    var places: [QueueKey] = []
    for job in jobs {
      guard let place = Self.key(job) else { continue }
      count += job.subscribers.count
      entries.updateValue(Entry(job: job, key: place, list: .ready), forKey: job.request)
      places.append(place)
    }
    ready.insert(places)
  }

  /// Adds a job that waits for its own retry time.
  mutating func delay(_ job: Job) {
    guard let place = Self.key(job), !entries.contains(job.request) else { return }
    count += job.subscribers.count
    entries[job.request] = Entry(job: job, key: place, list: .delayed)
    let position = delayed.boundary { $0.time > job.notBefore }
    delayed.insert(Delayed(time: job.notBefore, request: job.request), at: position)
  }

  mutating func dequeueNext() -> Job? {
    guard let next = ready.popNext(), var entry = entries.removeValue(forKey: next.key.request)
    else { return nil }
    count -= entry.job.subscribers.count
    entry.job.yields = next.yields
    return entry.job
  }

  /// Records that a job taken with `dequeueNext` starts, which others may have let precede their own start.
  mutating func recordStart(of host: HostName) {
    ready.recordStart()
    parked.change(host) { $0.recordStart() }
  }

  /// Returns a job taken with `dequeueNext` to the window, because its host does not allow it to start.
  /// - Parameter time: The end of the host's backoff; nil if the host is at its limit.
  mutating func park(_ job: Job, until time: Double?) {
    guard let place = Self.key(job) else { return }
    count += job.subscribers.count
    entries[job.request] = Entry(job: job, key: place, list: .parked)
    parked[job.host, default: StartOrder()].insert(place, yields: job.yields)
    if let time { beginBackoff(of: job.host, until: time) }
  }

  /// Changes a waiting job, and removes it if it has no subscribers left.
  mutating func change(_ request: RequestKey, _ body: (inout Job) -> Void) {
    guard var entry = entries[request] else { return }
    let before = entry.key
    count -= entry.job.subscribers.count
    body(&entry.job)
    count += entry.job.subscribers.count
    guard let place = Self.key(entry.job) else {
      entries[request] = nil
      _ = remove(before, from: entry)
      return
    }
    let isListed = entry.list != .delayed && place != before
    if isListed { entry.job.yields = remove(before, from: entry) }
    entry.key = place
    // A parked job whose precedence has risen becomes ready again, because jobs of its host that it now
    // precedes may have been made ready before it.
    if entry.list == .parked, place < before { entry.list = .ready }
    entries[request] = entry
    guard isListed else { return }
    if entry.list == .ready {
      ready.insert(place, yields: entry.job.yields)
      // The job may have been made ready in place of another job of its host, which now precedes it.
      if before < place { unpark(entry.job.host, count: 1) }
    } else {
      parked[entry.job.host, default: StartOrder()].insert(place, yields: entry.job.yields)
    }
  }

  /// Removes a position from the list that holds the entry.
  /// - Returns: The number of starts that the job would still have let precede its own.
  private mutating func remove(_ place: QueueKey, from entry: Entry) -> Int {
    switch entry.list {
    case .ready: return ready.remove(place)
    case .parked:
      let host = entry.job.host
      let yields = parked.change(host) { $0.remove(place) }
      if parked[host]?.isEmpty ?? false { parked[host] = nil }
      return yields ?? 0
    case .delayed:
      delayed.removeAll { $0.request == place.request }
      return entry.job.yields
    }
  }

  private static func key(_ job: Job) -> QueueKey? {
    guard let first = job.subscribers.first else { return nil }
    return QueueKey(precedence: job.precedence, id: first.resource.id, request: job.request)
  }

  // MARK: - Hosts

  /// Makes up to `count` parked jobs of the host ready.
  mutating func unpark(_ host: HostName, count: Int) {
    guard count > 0, !parked.isEmpty, backoffEnds[host] == nil,
      var list = parked.removeValue(forKey: host)
    else {
      return
    }
    for _ in 0..<min(count, list.count) {
      guard let next = list.popNext() else { break }
      entries.change(next.key.request) { $0.list = .ready }
      ready.insert(next.key, yields: next.yields)
    }
    if !list.isEmpty { parked[host] = list }
  }

  /// Makes up to `count` parked jobs of each host ready.
  mutating func unparkAll(count: Int = .max) {
    for host in Array(parked.keys) { unpark(host, count: count) }
  }

  /// Begins a backoff, or extends it: the jobs of the host stay parked until `time`.
  private mutating func beginBackoff(of host: HostName, until time: Double) {
    if let old = backoffEnds[host] {
      guard time > old else { return }
      backoffs.removeAll { $0.host == host }
    }
    backoffEnds[host] = time
    let position = backoffs.boundary { $0.time > time }
    backoffs.insert(Backoff(time: time, host: host), at: position)
  }

  /// Ends the backoff of the host early.
  mutating func endBackoff(_ host: HostName) {
    guard backoffEnds.removeValue(forKey: host) != nil else { return }
    backoffs.removeAll { $0.host == host }
  }

  func parkedCount(_ host: HostName) -> Int { parked[host]?.count ?? 0 }

  /// Drops the last jobs of hosts with more than `limit` parked ones; the store still lists their
  /// resources.
  /// - Returns: The hosts of which some jobs are only in the store now.
  mutating func trimParked(keeping limit: Int) -> Set<HostName> {
    var trimmed: Set<HostName> = []
    for (host, list) in parked where list.count > limit {
      for place in list.last(list.count - limit) {
        guard let job = entries[place.request]?.job, !job.wasBegun,
          !job.subscribers.contains(where: { $0.isOnDemand || $0.raised != nil })
        else { continue }
        change(place.request) { $0.subscribers = [] }
        trimmed.insert(host)
      }
    }
    return trimmed
  }

  /// Makes ready the delayed jobs whose retry time has passed, and jobs of hosts whose backoff has ended.
  /// - Parameter room: Returns the number of further connections that a host may have.
  mutating func wake(at now: Double, room: (HostName) -> Int) {
    while let last = delayed.last, last.time <= now {
      delayed.removeLast()
      guard let entry = entries[last.request] else { continue }
      let (place, yields) = (entry.key, entry.job.yields)
      if yields > 0, isPreceded(place, at: entry.job.host) {
        entries.change(last.request) { $0.list = .parked }
        parked[entry.job.host, default: StartOrder()].insert(place, yields: yields)
      } else {
        entries.change(last.request) { $0.list = .ready }
        ready.insert(place, yields: yields)
      }
    }
    while let last = backoffs.last, last.time <= now {
      backoffs.removeLast()
      backoffEnds[last.host] = nil
      unpark(last.host, count: room(last.host))
    }
  }

  /// Whether the host has jobs to which a job that yields leaves the next connection. It waits among them,
  /// because the starts of other hosts would count if it were ready.
  private func isPreceded(_ place: QueueKey, at host: HostName) -> Bool {
    backoffEnds.contains(host) || parked[host]?.precedence.map { $0 <= place.precedence } ?? false
  }

  // MARK: - Changes of many jobs

  /// Removes subscribers from all jobs, and removes jobs that have no subscribers left.
  /// - Parameter fromUntried: Whether to leave out jobs with an earlier attempt.
  mutating func removeSubscribers(fromUntried: Bool = false, _ isGone: (Job.Subscriber) -> Bool) {
    let concerned = entries.values.filter { entry in
      !(fromUntried && entry.job.wasBegun) && entry.job.subscribers.contains(where: isGone)
    }
    guard !concerned.isEmpty else { return }
    for entry in concerned {
      change(entry.job.request) { $0.subscribers.removeAll(where: isGone) }
    }
    // A removed job may have been the only ready one of a host with a free slot. Then no transfer would end
    // to make the jobs behind it ready, so all hosts are checked again.
    unparkAll()
  }

  /// Returns the requests that have at least one of these subscribers.
  func requests(of ids: Set<ResourceID>) -> [RequestKey] {
    entries.values.filter { $0.job.subscribers.contains { ids.contains($0.resource.id) } }
      .map(\.job.request)
  }

  /// All jobs, in no particular order.
  var jobs: some Sequence<Job> { entries.values.lazy.map(\.job) }
}
