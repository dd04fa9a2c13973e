public import Models

/// Which download starts when: a window on the queue, the limit, the hosts, the waits.
///
/// A pure machine: no clock, no lock, no input or output. The engine tells it what happened with
/// `handle` and does what it answers. The queue itself is in the store; at most `windowLimit`
/// resources are here.
public struct Scheduler: Sendable {
  /// One resource that may be downloaded.
  public struct Item: Sendable, Equatable {
    public let resource: Resource
    /// Whom it asks; equal strings share a budget. Empty for local files.
    public let host: String
    /// Earliest start.
    public var notBefore: Double
    public var attempts: Int

    public init(resource: Resource, host: String, notBefore: Double = 0, attempts: Int = 0) {
      self.resource = resource
      self.host = host
      self.notBefore = notBefore
      self.attempts = attempts
    }
  }

  public enum Event: Sendable {
    /// Something new may be in the store from the front of the queue on.
    case queueChanged
    /// The answer to `.load`: what follows in the store, in order; fewer than asked for means the end.
    case loaded([Item], isEnd: Bool)
    case ended(ResourceID, host: String)
    /// The same resource is to be tried again.
    case retry(Item)
    /// A host asked for silence (429, 503).
    case hostWaits(String, until: Double)
    case limitChanged(Int)
    case dropped(record: RecordID)
    /// Time has passed.
    case tick
  }

  public struct Action: Sendable, Equatable {
    public var start: [Item] = []
    /// Ask the store for this many queued resources after `cursor`.
    public var load: Int?
    /// When to send `.tick`, if nothing happens before.
    public var wake: Double?
  }

  /// The window, in reverse: what is next is last, so that taking it costs nothing.
  private var waiting: [Item] = []
  private var active: [ResourceID: String] = [:]
  private var perHost: [String: Int] = [:]
  private var hostWaits: [String: Double] = [:]
  private var isExhausted = false
  private var isLoading = false
  private var isStale = false
  private var limit: Int
  private let hostLimit: Int

  /// Where the next load goes on.
  public private(set) var cursor: ResourceID?

  static let batch = 512
  static let windowLimit = 4_096

  public init(limit: Int, hostLimit: Int) {
    self.limit = max(1, limit)
    self.hostLimit = max(1, hostLimit)
  }

  public var activeCount: Int { active.count }
  /// Nothing runs, waits or is left in the store.
  public var isIdle: Bool {
    active.isEmpty && waiting.isEmpty && isExhausted && !isLoading
  }

  public func isKnown(_ id: ResourceID) -> Bool {
    active[id] != nil || waiting.contains { $0.resource.id == id }
  }

  /// When each host may be asked again.
  public var waits: [String: Double] { hostWaits }

  public mutating func handle(_ event: Event, now: Double) -> Action {
    apply(event)
    if !hostWaits.isEmpty { hostWaits = hostWaits.filter { $0.value > now } }
    var action = Action()
    action.start = startable(now: now)
    if !isLoading, !isExhausted, active.count + waiting.count < Self.windowLimit,
      waiting.count < Self.batch / 4 || active.count < limit
    {
      isLoading = true
      action.load = Self.batch
    }
    if active.count < limit { action.wake = nextTime(after: now) }
    return action
  }

  private mutating func apply(_ event: Event) {
    switch event {
    case .queueChanged:
      // Ids may have become free anywhere: look from the front again.
      cursor = nil
      isExhausted = false
      isStale = isLoading
    case .loaded(let items, let isEnd):
      isLoading = false
      if isStale {
        isStale = false
        return
      }
      cursor = items.last?.resource.id ?? cursor
      isExhausted = isEnd
      let known = Set(waiting.map(\.resource.id)).union(active.keys)
      waiting.insert(
        contentsOf: items.reversed().filter { !known.contains($0.resource.id) }, at: 0)
    case .ended(let id, let host):
      guard active.removeValue(forKey: id) != nil else { return }
      release(host)
    case .retry(let item):
      if active.removeValue(forKey: item.resource.id) != nil { release(item.host) }
      let place = waiting.firstIndex { $0.resource.id < item.resource.id } ?? waiting.endIndex
      waiting.insert(item, at: place)
    case .hostWaits(let host, let time):
      hostWaits[host] = max(time, hostWaits[host] ?? 0)
    case .limitChanged(let new): limit = max(1, new)
    case .dropped(let record): waiting.removeAll { $0.resource.record == record }
    case .tick: break
    }
  }

  private mutating func release(_ host: String) {
    let left = (perHost[host] ?? 1) - 1
    perHost[host] = left > 0 ? left : nil
  }

  /// Takes out of the window what may start now, in order.
  private mutating func startable(now: Double) -> [Item] {
    var free = limit - active.count
    guard free > 0, !waiting.isEmpty else { return [] }
    var started: [Item] = []
    var index = waiting.count
    while index > 0, free > 0 {
      index -= 1
      let item = waiting[index]
      guard item.notBefore <= now, hostWaits[item.host] == nil,
        perHost[item.host, default: 0] < hostLimit || item.host.isEmpty
      else { continue }
      waiting.remove(at: index)
      perHost[item.host, default: 0] += 1
      active[item.resource.id] = item.host
      started.append(item)
      free -= 1
    }
    return started
  }

  private func nextTime(after now: Double) -> Double? {
    waiting.lazy.map { max($0.notBefore, hostWaits[$0.host] ?? 0) }.filter { $0 > now }.min()
  }
}
