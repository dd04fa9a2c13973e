public import Models
import Persistence

/// Which transfer starts when: a window on the queue, one job a request, the limit, the hosts, the
/// waits.
///
/// A pure machine: no clock, no lock, no input or output. The engine tells it what happened with
/// `handle` and does what it answers. The queue itself is in the store; about `windowLimit`
/// resources are here.
///
/// A resource is *waiting* or *active* as a subscriber of the one job of its request, or *settling*
/// (its row is on its way to another state, so the store may still call it queued). Whatever is one
/// of these is not taken from the store a second time.
public struct Scheduler: Sendable {
  /// One resource that may be fetched, and what is known of its request.
  public struct Item: Sendable, Equatable {
    public var subscriber: Job.Subscriber
    public let request: RequestKey
    public let host: HostName
    /// What it requests; nil for local files.
    public let url: HTTPURL?
    public var partial: PartialDownload?
    /// Whether the store may have a row about its partial file.
    public var mayHaveRow = false
    /// What the library has that may be the answer.
    public var held: Job.Held?

    public init(
      subscriber: Job.Subscriber, request: RequestKey, host: HostName, url: HTTPURL? = nil,
      partial: PartialDownload? = nil, held: Job.Held? = nil
    ) {
      self.subscriber = subscriber
      self.request = request
      self.host = host
      self.url = url
      self.partial = partial
      self.held = held
    }
  }

  /// A question for the store.
  public struct Load: Sendable, Equatable {
    public let priority: RecordPriority
    /// Where it continues.
    public let after: ResourceID?
    public let count: Int
  }

  public struct Action: Sendable, Equatable {
    /// Each has a slot now.
    public var start: [Job] = []
    /// What is held is their answer; their rows are on their way.
    public var answer: [Job] = []
    /// Their host could not be reached for so long that they are not tried; their rows are on their
    /// way.
    public var giveUp: [Hopeless] = []
    /// Running, and nobody wants them (now).
    public var cancel: [RequestKey] = []
    public var load: Load?
    /// When to send `.tick`, if nothing happens before.
    public var wake: Double?
  }

  /// A job whose host cannot be reached.
  public struct Hopeless: Sendable, Equatable {
    public let job: Job
    /// What the last of the attempts ended with.
    public let reason: String
    /// After how many in a row its host was abandoned.
    public let attempts: Int
  }

  struct Active: Sendable {
    var job: Job
    let startedAt: Double
  }

  struct Host: Sendable {
    var active = 0
    var budget: HostBudget

    /// Counts one more, if it may have one.
    mutating func start(at now: Double) -> Bool {
      guard budget.mayStart(at: now, active: active) else { return false }
      active += 1
      budget.started(at: now)
      return true
    }

    /// When to look again, if only time stands against a start.
    func nextStart(at now: Double) -> Double? { budget.nextStart(at: now, active: active) }
  }

  var window = WaitingWindow()
  var active = KeyTable<RequestKey, Active>()
  var hosts = KeyTable<HostName, Host>()
  var settling = KeySet<ResourceID>()
  /// Written while the store was being asked: its answer may be older.
  var settledMeanwhile = KeySet<ResourceID>()
  /// Answers that the store may not name yet.
  var recent = RecentAnswers()
  /// Records of which nothing is taken until they are put back.
  var dropped: Set<RecordID>
  /// Hosts of which so much waits that a part was let go of: it is in the store.
  var trimmed: Set<HostName> = []
  let hostPolicy: HostBudget.Policy
  /// Told of by `handle` when the event has been dealt with.
  var cancelled: [RequestKey] = []
  /// Whose turn it is in the queue; nil means nothing more is there.
  var priority: RecordPriority?
  var cursor: ResourceID?
  var isLoading = false
  var isStale = false
  var isDiskBehind = false
  var isStopped = false

  /// How many may be active, in all and at one host.
  public internal(set) var limit: Int
  public internal(set) var hostLimit: Int
  /// Nothing starts, everything keeps its place.
  public internal(set) var isPaused = false

  /// So many rows are looked at in one turn.
  static let batch = 256
  static let windowLimit = 4_096
  /// So many jobs of a host stay when there is no room for others.
  static let parkedLimit = 256

  public init(
    limit: Int, hostLimit: Int, network: Settings.Network = Settings().network,
    isPaused: Bool = false, dropped: Set<RecordID> = []
  ) {
    hostPolicy = HostBudget.Policy(network)
    self.limit = max(1, limit)
    self.hostLimit = max(1, hostLimit)
    self.isPaused = isPaused
    self.dropped = dropped
  }

  public var activeCount: Int { active.count }
  /// Resources.
  public var waitingCount: Int { window.count }
  /// Nothing runs, waits or is left in the store.
  public var isIdle: Bool {
    active.isEmpty && window.isEmpty && priority == nil && !isLoading && trimmed.isEmpty
  }

  /// A job at work; who wants its answer may have changed since its start.
  public func running(_ request: RequestKey) -> Job? { active[request]?.job }

  /// Whether a job of that request waits or runs for somebody.
  public func wants(_ request: RequestKey) -> Bool {
    window.contains(request) || !(active[request]?.job.subscribers.isEmpty ?? true)
  }

  public mutating func handle(_ event: Event, now: Double) -> Action {
    note(event, now: now)
    return decide(now: now)
  }

  /// Takes in what happened; `decide` says what follows from it and from all that was noted before.
  public mutating func note(_ event: Event, now: Double) { apply(event, now) }

  public mutating func decide(now: Double) -> Action {
    var action = Action(cancel: cancelled)
    cancelled = []
    guard !isStopped else { return action }
    let (hosts, hostLimit) = (hosts, hostLimit)
    window.wake(at: now) { name in
      guard let host = hosts[name] else { return hostLimit }
      return max(0, host.budget.limit - host.active)
    }
    start(&action, now)
    trim()
    if needsMore, let priority {
      isLoading = true
      action.load = Load(priority: priority, after: cursor, count: Self.batch)
    }
    if active.count < limit, !isDiskBehind, !isPaused { action.wake = window.nextWake }
    return action
  }

  /// One host that is busy or silent must not keep what is behind it in the queue from the others.
  private mutating func trim() {
    if trimmed.contains(where: { window.parkedCount($0) < Self.parkedLimit / 4 }) {
      trimmed = []
      lookFromFront()
    }
    guard priority != nil, !isLoading, window.readyCount == 0, active.count < limit,
      subscriberCount >= Self.windowLimit
    else { return }
    trimmed.formUnion(window.trimParked(keeping: Self.parkedLimit))
  }

  private var needsMore: Bool {
    !isLoading && !isPaused && priority != nil
      && (window.readyCount < Self.batch / 2 || active.count < limit)
      && subscriberCount < Self.windowLimit
  }

  private var subscriberCount: Int {
    active.values.reduce(window.count) { $0 + $1.job.subscribers.count }
  }

  /// Takes out of the window what may start now, in order.
  private mutating func start(_ action: inout Action, _ now: Double) {
    action.start.reserveCapacity(max(0, min(limit - active.count, window.readyCount)))
    while active.count < limit, !isDiskBehind, !isPaused, let job = window.takeNext() {
      if job.plan == .library {
        settling.formUnion(job.ids)
        action.answer.append(job)
      } else if let hopeless = hopeless(job, now) {
        settling.formUnion(job.ids)
        action.giveUp.append(hopeless)
      } else if job.host.isEmpty || mayStart(job, now) {
        active.updateValue(Active(job: job, startedAt: now), forKey: job.request)
        action.start.append(job)
      }
    }
  }

  /// Whether its host was tried in vain often enough and is not due to be tried again.
  private func hopeless(_ job: Job, _ now: Double) -> Hopeless? {
    guard isLost(job.host, at: now), let budget = hosts[job.host]?.budget else { return nil }
    return Hopeless(
      job: job, reason: budget.reason ?? "", attempts: budget.policy.failuresToGiveUp)
  }

  /// Changes what is known of a host; what was not known yet is new.
  mutating func withHost<Result>(_ name: HostName, _ body: (inout Host) -> Result) -> Result {
    let (limit, policy) = (hostLimit, hostPolicy)
    return body(&hosts[name, default: Host(budget: HostBudget(maximum: limit, policy: policy))])
  }

  /// Counts it for its host, or parks it there.
  private mutating func mayStart(_ job: Job, _ now: Double) -> Bool {
    let isBackingOff = window.isBackingOff(job.host)
    var time: Double?
    let mayStart = withHost(job.host) { host in
      if !isBackingOff, host.start(at: now) { return true }
      time = host.nextStart(at: now)
      return false
    }
    if !mayStart { window.park(job, until: time) }
    return mayStart
  }
}
