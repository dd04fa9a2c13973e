import Models

/// The part of the queue that is in memory, sorted so that neither a busy host nor a long wait
/// costs anything while it lasts. Part of `Scheduler`.
///
/// Every waiting resource is in exactly one list: *ready* (nothing is known against it), *parked*
/// (its host is at its limit or silent) or *delayed* (it waits for its own time). All lists are
/// backwards: what comes next is last, so that taking it is cheap.
struct WaitingWindow: Sendable {
  private struct Delayed: Sendable {
    let time: Double
    let id: ResourceID
  }

  private var items: [ResourceID: Scheduler.Item] = [:]
  private var ready: [ResourceID] = []
  private var parked: [String: [ResourceID]] = [:]
  private var delayed: [Delayed] = []
  /// Until when hosts are silent.
  private var held: [String: Double] = [:]
  private var firstRelease = Double.infinity

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }
  var readyCount: Int { ready.count }

  func isHeld(_ host: String) -> Bool { held[host] != nil }

  /// When something that waits for its time may start; nil if nothing does.
  var nextWake: Double? {
    let own = delayed.last?.time ?? .infinity
    let hosts = parked.isEmpty ? .infinity : firstRelease
    let first = min(own, hosts)
    return first.isFinite ? first : nil
  }

  /// Adds what came from the store, in order of id; what is here already stays as it is.
  mutating func append(_ new: [Scheduler.Item]) {
    let new = new.filter { items[$0.resource.id] == nil }
    for item in new { items[item.resource.id] = item }
    let ids = new.reversed().map(\.resource.id)
    if let highest = ready.first, let lowest = ids.last, lowest < highest {
      ready = (ready + ids).sorted(by: >)
    } else {
      ready.insert(contentsOf: ids, at: 0)
    }
  }

  /// Adds one that waits for its own time.
  mutating func add(_ item: Scheduler.Item) {
    let id = item.resource.id
    guard items.updateValue(item, forKey: id) == nil else { return }
    let place = delayed.boundary { $0.time > item.notBefore }
    delayed.insert(Delayed(time: item.notBefore, id: id), at: place)
  }

  mutating func takeNext() -> Scheduler.Item? {
    guard let id = ready.popLast() else { return nil }
    return items.removeValue(forKey: id)
  }

  /// Puts aside what was taken and may not start because of its host.
  mutating func park(_ item: Scheduler.Item) {
    let id = item.resource.id
    items[id] = item
    parked[item.host, default: []].insertDescending(id)
  }

  /// Room for so many more at this host.
  mutating func unpark(_ host: String, count: Int) {
    guard held[host] == nil, var list = parked.removeValue(forKey: host) else { return }
    for _ in 0..<min(count, list.count) {
      if let id = list.popLast() { ready.insertDescending(id) }
    }
    if !list.isEmpty { parked[host] = list }
  }

  mutating func hold(_ host: String, until time: Double) {
    let later = max(time, held[host] ?? time)
    held[host] = later
    firstRelease = held.values.min() ?? .infinity
  }

  /// Makes ready what has waited long enough.
  /// - Parameter room: how many more a host may have.
  mutating func wake(at now: Double, room: (String) -> Int) {
    while let last = delayed.last, last.time <= now {
      delayed.removeLast()
      if items[last.id] != nil { ready.insertDescending(last.id) }
    }
    guard firstRelease <= now else { return }
    let over = held.filter { $0.value <= now }.map(\.key)
    for host in over {
      held[host] = nil
      unpark(host, count: room(host))
    }
    firstRelease = held.values.min() ?? .infinity
  }

  mutating func drop(_ record: RecordID) {
    let gone = Set(items.values.filter { $0.resource.record == record }.map(\.resource.id))
    guard !gone.isEmpty else { return }
    for id in gone { items[id] = nil }
    ready.removeAll { gone.contains($0) }
    delayed.removeAll { gone.contains($0.id) }
    for (host, list) in parked {
      let left = list.filter { !gone.contains($0) }
      parked[host] = left.isEmpty ? nil : left
    }
    // One that went may have been the only one made ready for a host whose slot is free: no end of
    // a transfer would ever come for those behind it. All are looked at again.
    for host in Array(parked.keys) { unpark(host, count: .max) }
  }
}

extension Array where Element: Comparable {
  /// Into a list that is sorted backwards. O(log n) comparisons, and the moves behind the place.
  mutating func insertDescending(_ new: Element) {
    insert(new, at: boundary { $0 > new })
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
