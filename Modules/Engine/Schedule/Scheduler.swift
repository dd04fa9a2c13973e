public import Models

/// Which download starts when: a window on the queue, the limit, the hosts, the waits.
///
/// A pure machine: no clock, no lock, no input or output. The engine tells it what happened with
/// `handle` and does what it answers. The queue itself is in the store; about `windowLimit`
/// resources are here.
///
/// A resource is *waiting* (ready, parked behind its host, or delayed), *active* (it has a slot) or
/// *settling* (its row is on its way to another state, so the store may still call it queued).
/// Whatever is one of these is not taken from the store a second time.
public struct Scheduler: Sendable {
  /// One resource that may be downloaded.
  public struct Item: Sendable, Equatable {
    public let resource: Resource
    /// Whom it asks; equal strings share a budget. Empty for local files.
    public let host: String
    /// Earliest start.
    public var notBefore: Double
    public var attempts: Int
    /// What is on disk of an earlier attempt.
    public var partial: PartialDownload?
    /// Whether the store may have a row about its partial file.
    public var mayHaveRow: Bool

    public init(
      resource: Resource, host: String, notBefore: Double = 0, attempts: Int = 0,
      partial: PartialDownload? = nil
    ) {
      self.resource = resource
      self.host = host
      self.notBefore = notBefore
      self.attempts = attempts
      self.partial = partial
      mayHaveRow = partial != nil
    }
  }

  public enum Event: Sendable {
    /// Something new may be in the store, anywhere in the queue.
    case queueChanged
    /// The answer to `.load`: what follows in the store, in order; fewer than asked for means the end.
    case loaded([Item], isEnd: Bool)
    /// Its slot is free; its row is as it was.
    case ended(ResourceID)
    /// Its slot, if it had one, is free; its row is on its way to another state.
    case settling(ResourceID)
    /// Their rows are written.
    case settled([ResourceID])
    /// The same resource is to be tried again.
    case retry(Item)
    /// A host asked for silence (429, 503).
    case hostWaits(String, until: Double)
    case limitChanged(Int)
    /// The disk is behind (or no more): nothing starts until it has caught up.
    case diskBehind(Bool)
    /// Nothing of this record starts any more.
    case dropped(record: RecordID)
    /// The record counts again; what is queued of it is found after `queueChanged`.
    case kept(record: RecordID)
    /// Nothing starts any more.
    case stopped
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

  private var window = WaitingWindow()
  private var active: [ResourceID: String] = [:]
  private var perHost: [String: Int] = [:]
  private var settling: Set<ResourceID> = []
  /// Written while the store was being asked: its answer may be older.
  private var settledMeanwhile: Set<ResourceID> = []
  private var dropped: Set<RecordID> = []
  private var isExhausted = true
  private var isLoading = false
  private var isStale = false
  private var isDiskBehind = false
  private var isStopped = false
  private let hostLimit: Int

  /// How many may be active.
  public private(set) var limit: Int
  /// Where the next load goes on.
  public private(set) var cursor: ResourceID?

  static let batch = 512
  static let windowLimit = 4_096

  public init(limit: Int, hostLimit: Int) {
    self.limit = max(1, limit)
    self.hostLimit = max(1, hostLimit)
  }

  public var activeCount: Int { active.count }
  public var waitingCount: Int { window.count }
  /// Nothing runs, waits or is left in the store.
  public var isIdle: Bool { active.isEmpty && window.isEmpty && isExhausted && !isLoading }

  public mutating func handle(_ event: Event, now: Double) -> Action {
    apply(event)
    var action = Action()
    guard !isStopped else { return action }
    window.wake(at: now) { max(0, hostLimit - perHost[$0, default: 0]) }
    action.start = startable()
    if needsMore {
      isLoading = true
      action.load = Self.batch
    }
    if active.count < limit, !isDiskBehind { action.wake = window.nextWake }
    return action
  }

  private var needsMore: Bool {
    !isLoading && !isExhausted && active.count + window.count < Self.windowLimit
      && (window.readyCount < Self.batch / 4 || active.count < limit)
  }

  private mutating func apply(_ event: Event) {
    switch event {
    case .queueChanged:
      // Ids may have become free anywhere: look from the front again.
      cursor = nil
      isExhausted = false
      isStale = isLoading
    case .loaded(let items, let isEnd): loaded(items, isEnd: isEnd)
    case .ended(let id): release(id)
    case .settling(let id):
      release(id)
      settling.insert(id)
    case .settled(let ids):
      settling.subtract(ids)
      if isLoading { settledMeanwhile.formUnion(ids) }
    case .retry(let item):
      release(item.resource.id)
      if !dropped.contains(item.resource.record) { window.add(item) }
    case .hostWaits(let host, let time): window.hold(host, until: time)
    case .limitChanged(let new): limit = max(1, new)
    case .diskBehind(let isBehind): isDiskBehind = isBehind
    case .dropped(let record):
      dropped.insert(record)
      window.drop(record)
    case .kept(let record): dropped.remove(record)
    case .stopped: isStopped = true
    case .tick: break
    }
  }

  private mutating func loaded(_ items: [Item], isEnd: Bool) {
    isLoading = false
    defer { settledMeanwhile = [] }
    if isStale {
      isStale = false
      return
    }
    cursor = items.last?.resource.id ?? cursor
    isExhausted = isEnd
    window.append(
      items.filter { item in
        let id = item.resource.id
        return active[id] == nil && !settling.contains(id) && !settledMeanwhile.contains(id)
          && !dropped.contains(item.resource.record)
      })
  }

  private mutating func release(_ id: ResourceID) {
    guard let host = active.removeValue(forKey: id) else { return }
    let left = (perHost[host] ?? 1) - 1
    perHost[host] = left > 0 ? left : nil
    window.unpark(host, count: 1)
  }

  /// Takes out of the window what may start now, in order.
  private mutating func startable() -> [Item] {
    var started: [Item] = []
    while active.count < limit, !isDiskBehind, let item = window.takeNext() {
      let count = perHost[item.host, default: 0]
      guard item.host.isEmpty || (count < hostLimit && !window.isHeld(item.host)) else {
        window.park(item)
        continue
      }
      perHost[item.host] = count + 1
      active[item.resource.id] = item.host
      started.append(item)
    }
    return started
  }
}
