import Models

/// The part of the queue that is in memory, sorted so that neither a busy host nor a long wait
/// costs anything while it lasts. Part of `Scheduler`.
///
/// Every waiting job is in exactly one list: *ready* (nothing is known against it), *parked* (its
/// host is at its limit or silent) or *delayed* (it waits for its own time). All lists are
/// backwards: what comes next is last, so that taking it is cheap.
struct WaitingWindow: Sendable {
  /// Where a job stands among others.
  private struct Place: Sendable, Comparable {
    let precedence: Precedence
    /// Its first subscriber: no other job has that one.
    let id: ResourceID
    let request: RequestKey

    static func < (a: Self, b: Self) -> Bool {
      a.precedence == b.precedence ? a.id < b.id : a.precedence < b.precedence
    }
  }

  private enum WaitingList: Sendable { case ready, parked, delayed }

  private struct Entry: Sendable {
    var job: Job
    var place: Place
    var spot: WaitingList
  }

  private struct Delayed: Sendable {
    let time: Double
    let request: RequestKey
  }

  private struct Silence: Sendable {
    let time: Double
    let host: HostName
  }

  private var entries = KeyTable<RequestKey, Entry>()
  private var ready: [Place] = []
  private var parked = KeyTable<HostName, [Place]>()
  private var delayed: [Delayed] = []
  /// Hosts with parked jobs that only time stands against, and until when.
  private var silent = KeyTable<HostName, Double>()
  private var silences: [Silence] = []
  /// Subscribers of all jobs.
  private(set) var count = 0

  var isEmpty: Bool { entries.isEmpty }
  var readyCount: Int { ready.count }

  func isBackingOff(_ host: HostName) -> Bool { silent.contains(host) }

  /// Until when nothing of the host is made ready; nil means nothing but its limit stands against it.
  func silence(of host: HostName) -> Double? { silent[host] }

  subscript(request: RequestKey) -> Job? { entries[request]?.job }

  func contains(_ request: RequestKey) -> Bool { entries.contains(request) }

  /// When something that waits for its time may start; nil if nothing does.
  var nextWake: Double? {
    let first = min(delayed.last?.time ?? .infinity, silences.last?.time ?? .infinity)
    return first.isFinite ? first : nil
  }

  // In and out

  /// Adds jobs that nothing is known against, of requests that are not here.
  mutating func append(_ jobs: [Job]) {
    var places: [Place] = []
    for job in jobs {
      guard let place = Self.place(job) else { continue }
      count += job.subscribers.count
      entries.updateValue(Entry(job: job, place: place, spot: .ready), forKey: job.request)
      places.append(place)
    }
    guard let next = places.min(), let last = places.max() else { return }
    // Mostly they come in order and behind all others.
    let backwards = places.count > 1 ? places.sorted(by: >) : places
    if let behind = ready.first, next < behind {
      if last == next {
        ready.insertDescending(next)
      } else {
        ready = (ready + backwards).sorted(by: >)
      }
    } else {
      ready.insert(contentsOf: backwards, at: 0)
    }
  }

  /// Adds one that waits for its own time.
  mutating func delay(_ job: Job) {
    guard let place = Self.place(job), !entries.contains(job.request) else { return }
    count += job.subscribers.count
    entries[job.request] = Entry(job: job, place: place, spot: .delayed)
    let position = delayed.boundary { $0.time > job.notBefore }
    delayed.insert(Delayed(time: job.notBefore, request: job.request), at: position)
  }

  mutating func takeNext() -> Job? {
    guard let place = ready.popLast(), let entry = entries.removeValue(forKey: place.request) else {
      return nil
    }
    count -= entry.job.subscribers.count
    return entry.job
  }

  /// Puts aside what was taken and may not start because of its host.
  /// - Parameter time: when it may, if only time stands against it.
  mutating func park(_ job: Job, until time: Double?) {
    guard let place = Self.place(job) else { return }
    count += job.subscribers.count
    entries[job.request] = Entry(job: job, place: place, spot: .parked)
    parked[job.host, default: []].insertDescending(place)
    if let time { silence(job.host, until: time) }
  }

  /// Changes a job that waits here; without subscribers it is gone.
  mutating func change(_ request: RequestKey, _ body: (inout Job) -> Void) {
    guard var entry = entries[request] else { return }
    let before = entry.place
    count -= entry.job.subscribers.count
    body(&entry.job)
    count += entry.job.subscribers.count
    guard let place = Self.place(entry.job) else {
      entries[request] = nil
      return take(before, from: entry)
    }
    let isListed = entry.spot != .delayed && place != before
    if isListed { take(before, from: entry) }
    entry.place = place
    // Others of its host may have been made ready in its place: it is looked at again.
    if entry.spot == .parked, place < before { entry.spot = .ready }
    entries[request] = entry
    guard isListed else { return }
    if entry.spot == .ready {
      ready.insertDescending(place)
      // It may have been made ready in the place of another one of its host.
      if before < place { unpark(entry.job.host, count: 1) }
    } else {
      parked[entry.job.host, default: []].insertDescending(place)
    }
  }

  /// Takes a place out of the list in which the entry is.
  private mutating func take(_ place: Place, from entry: Entry) {
    switch entry.spot {
    case .ready: ready.removeDescending(place)
    case .parked:
      let host = entry.job.host
      parked.change(host) { $0.removeDescending(place) }
      if parked[host]?.isEmpty ?? false { parked[host] = nil }
    case .delayed: delayed.removeAll { $0.request == place.request }
    }
  }

  private static func place(_ job: Job) -> Place? {
    guard let first = job.subscribers.first else { return nil }
    return Place(precedence: job.precedence, id: first.resource.id, request: job.request)
  }

  // Hosts

  /// Room for so many more at this host.
  mutating func unpark(_ host: HostName, count: Int) {
    guard count > 0, !parked.isEmpty, silent[host] == nil,
      var list = parked.removeValue(forKey: host)
    else {
      return
    }
    for _ in 0..<min(count, list.count) {
      guard let place = list.popLast() else { break }
      entries.change(place.request) { $0.spot = .ready }
      ready.insertDescending(place)
    }
    if !list.isEmpty { parked[host] = list }
  }

  /// Room for so many at each host.
  mutating func unparkAll(count: Int = .max) {
    for host in Array(parked.keys) { unpark(host, count: count) }
  }

  /// Nothing of this host is made ready before that time.
  private mutating func silence(_ host: HostName, until time: Double) {
    if let old = silent[host] {
      guard time > old else { return }
      silences.removeAll { $0.host == host }
    }
    silent[host] = time
    let position = silences.boundary { $0.time > time }
    silences.insert(Silence(time: time, host: host), at: position)
  }

  /// The host may be asked now, whatever was said before.
  mutating func endBackoff(_ host: HostName) {
    guard silent.removeValue(forKey: host) != nil else { return }
    silences.removeAll { $0.host == host }
  }

  func parkedCount(_ host: HostName) -> Int { parked[host]?.count ?? 0 }

  /// Lets go of what waits behind others at hosts that are busy or silent.
  /// - Returns: the hosts of which something is only in the store now.
  mutating func trimParked(keeping limit: Int) -> Set<HostName> {
    var trimmed: Set<HostName> = []
    for (host, list) in parked where list.count > limit {
      for place in list.prefix(list.count - limit) {
        guard let job = entries[place.request]?.job, !job.wasBegun,
          !job.subscribers.contains(where: { $0.isOnDemand || $0.raised != nil })
        else { continue }
        change(place.request) { $0.subscribers = [] }
        trimmed.insert(host)
      }
    }
    return trimmed
  }

  /// Makes ready what has waited long enough.
  /// - Parameter room: how many more a host may have.
  mutating func wake(at now: Double, room: (HostName) -> Int) {
    while let last = delayed.last, last.time <= now {
      delayed.removeLast()
      guard let place = entries[last.request]?.place else { continue }
      entries.change(last.request) { $0.spot = .ready }
      ready.insertDescending(place)
    }
    while let last = silences.last, last.time <= now {
      silences.removeLast()
      silent[last.host] = nil
      unpark(last.host, count: room(last.host))
    }
  }

  // Many at once

  /// Takes subscribers away from every job; a job without any is gone.
  /// - Parameter fromUntried: only from jobs that were not begun before.
  mutating func drop(fromUntried: Bool = false, _ isGone: (Job.Subscriber) -> Bool) {
    let concerned = entries.values.filter { entry in
      !(fromUntried && entry.job.wasBegun) && entry.job.subscribers.contains(where: isGone)
    }
    guard !concerned.isEmpty else { return }
    for entry in concerned {
      change(entry.job.request) { $0.subscribers.removeAll(where: isGone) }
    }
    // One that went may have been the only one made ready for a host whose slot is free: no end of
    // a transfer would ever come for those behind it. All are looked at again.
    unparkAll()
  }

  /// The requests that have one of these subscribers.
  func requests(of ids: Set<ResourceID>) -> [RequestKey] {
    entries.values.filter { $0.job.subscribers.contains { ids.contains($0.resource.id) } }
      .map(\.job.request)
  }

  /// All jobs, in no order.
  var jobs: some Sequence<Job> { entries.values.lazy.map(\.job) }
}

extension Array where Element: Comparable {
  /// Into a list that is sorted backwards. O(log n) comparisons, and the moves behind the place.
  mutating func insertDescending(_ new: Element) {
    insert(new, at: boundary { $0 > new })
  }

  /// Out of a list that is sorted backwards; nothing if it is not there.
  mutating func removeDescending(_ old: Element) {
    let index = boundary { $0 > old }
    if index < count, self[index] == old { remove(at: index) }
  }
}

extension Array {
  /// The first index of a sorted list for which `isBefore` does not hold.
  func boundary(_ isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
