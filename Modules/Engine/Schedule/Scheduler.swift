public import Models
import Persistence

/// Decides when each transfer starts: with one job per request, a window on the queue, connection limits,
/// budgets of hosts and retry delays.
///
/// A pure state machine: no clock, no lock, no I/O. The engine reports events to `handle` and performs
/// the action that it returns. The queue itself is in the store; about `windowLimit` resources of it are
/// in memory.
///
/// A resource is *waiting* or *active* as a subscriber of the one job of its request, or
/// *commit-pending*: its row is about to change, so the store may still list it as queued. A resource in
/// one of these states is not loaded from the store a second time.
public struct Scheduler: Sendable {
  /// A resource to be downloaded, with the known state of its request.
  public struct Item: Sendable, Equatable {
    public var subscriber: Job.Subscriber
    public let request: RequestKey
    public let host: HostName
    public let location: ResourceLocation
    public var partial: PartialDownload?
    /// Whether the store may have a row for the partial file.
    public var mayHaveRow = false
    /// An existing file of the library that may answer the request.
    public var existing: Job.ExistingAnswer?

    public init(
      subscriber: Job.Subscriber, request: RequestKey, host: HostName, location: ResourceLocation,
      partial: PartialDownload? = nil, existing: Job.ExistingAnswer? = nil
    ) {
      self.subscriber = subscriber
      self.request = request
      self.host = host
      self.location = location
      self.partial = partial
      self.existing = existing
    }
  }

  /// A query for the next resources of the queue.
  public struct Load: Sendable, Equatable {
    public let priority: RecordPriority
    /// The last resource already loaded; nil for the first query of a priority.
    public let after: ResourceID?
    public let count: Int
  }

  public struct Action: Sendable, Equatable {
    /// Jobs to start; each of them occupies a transfer slot from now on.
    public var start: [Job] = []
    /// Jobs that an existing file answers; the commits of their resources are pending.
    public var answer: [Job] = []
    /// Jobs to fail, because their host was unreachable for too long; the commits of their resources are
    /// pending.
    public var unreachable: [UnreachableJob] = []
    /// Requests whose transfers are to be cancelled, because no subscriber is left or because of a pause.
    public var cancel: [RequestKey] = []
    public var load: Load?
    /// Requests whose transfers get one further connection each; an element may occur several times.
    public var startSegments: [RequestKey] = []
    /// Requests whose transfers return one further connection each, because other jobs need it; an element may
    /// occur several times.
    public var withdrawSegments: [RequestKey] = []
    /// Single requests that may be sent now; each of them occupies a transfer slot from now on.
    public var startRequests: [SingleRequests.ID] = []
    /// Single requests that are refused, because their host was unreachable for too long, with the reasons of
    /// the last failures to connect.
    public var refuseRequests: [SingleRequests.Refusal] = []
    /// Transfers whose running requests may end, but must be followed by no other for some time, because their
    /// host is backing off.
    public var holdSegments: [SegmentHold] = []
    /// The time at which to send `.tick` if no event occurs before; nil for none.
    public var wake: Double?
  }

  /// A backoff of the host of a transfer that uses several connections.
  public struct SegmentHold: Sendable, Equatable {
    public let request: RequestKey
    /// The time from now until the end of the backoff, in seconds.
    public let seconds: Double
  }

  /// A job whose host is unreachable.
  public struct UnreachableJob: Sendable, Equatable {
    public internal(set) var job: Job
    /// The reason of the last failure to connect.
    public let reason: String
    /// The number of consecutive failures after which the host became unreachable.
    public let attempts: Int
  }

  struct Active: Sendable {
    var job: Job
    let startedAt: Double
    /// The further connections of the transfer.
    var segments = SegmentUse()

    /// The host for which the further connections count.
    var segmentHost: HostName { segments.host ?? job.host }
  }

  var window = WaitingWindow()
  var active = KeyTable<RequestKey, Active>()
  var hosts: HostTable
  /// The requests that want or use further connections.
  var segmented: Set<RequestKey> = []
  /// The number of further connections of all transfers.
  var segmentCount = 0
  /// Requests that belong to no job.
  var singleRequests = SingleRequests()
  var commitPending = KeySet<ResourceID>()
  /// Resources whose rows were written while the store was being queried; the result may be older.
  var committedMeanwhile = KeySet<ResourceID>()
  /// Recent answers that the store may not contain yet.
  var recent = RecentAnswers()
  /// Records whose resources are not loaded until the event `.kept`.
  var dropped: Set<RecordID>
  /// Hosts with so many waiting jobs that some were dropped; the store still lists the dropped resources.
  var trimmed: Set<HostName> = []
  /// Transfers to cancel; the next `decide` returns them.
  var cancelled: [RequestKey] = []
  /// The priority whose resources are loaded next; nil if the whole queue was loaded.
  var priority: RecordPriority?
  var cursor: ResourceID?
  var isLoading = false
  var isStale = false
  var isDiskBehind = false
  var isStopped = false

  /// The largest number of active transfers.
  public internal(set) var limit: Int
  /// Whether no transfer starts; jobs keep their positions.
  public internal(set) var isPaused = false

  /// The number of rows that one query loads.
  static let batch = 256
  static let windowLimit = 4_096
  /// The number of jobs of one host that are kept when the window is full.
  static let parkedLimit = 256

  public init(
    limit: Int, hostLimit: Int, network: Settings.Network = Settings().network,
    isPaused: Bool = false, dropped: Set<RecordID> = []
  ) {
    hosts = HostTable(limit: hostLimit, policy: HostBudget.Policy(network))
    self.limit = max(1, limit)
    self.isPaused = isPaused
    self.dropped = dropped
  }

  public var activeCount: Int { active.count }
  /// The number of connections of all active transfers and single requests.
  var usedSlots: Int { active.count + segmentCount + singleRequests.running.count }
  /// The largest number of active transfers per host.
  public var hostLimit: Int { hosts.limit }
  /// The number of waiting resources.
  public var waitingCount: Int { window.count }
  /// Whether no job is active or waiting, and none is left in the store.
  public var isIdle: Bool {
    active.isEmpty && window.isEmpty && priority == nil && !isLoading && trimmed.isEmpty
  }

  /// Returns an active job; its subscribers may have changed since its start.
  public func running(_ request: RequestKey) -> Job? { active[request]?.job }

  /// Returns whether a job for the request is waiting, or is active with a subscriber.
  public func wants(_ request: RequestKey) -> Bool {
    window.contains(request) || !(active[request]?.job.subscribers.isEmpty ?? true)
  }

  public mutating func handle(_ event: Event, now: Double) -> Action {
    update(with: event, now: now)
    return decide(now: now)
  }

  /// Records an event without deciding on an action; `decide` does that for all recorded events.
  public mutating func update(with event: Event, now: Double) { apply(event, now) }

  public mutating func decide(now: Double) -> Action {
    var action = Action(cancel: cancelled)
    cancelled = []
    guard !isStopped else { return action }
    let hosts = hosts
    window.wake(at: now) { name in hosts.room(of: name) }
    // A user waits for each single request, so it precedes the jobs.
    if !singleRequests.waiting.isEmpty { startSingleRequests(&action, now) }
    startReadyJobs(&action, now)
    if !segmented.isEmpty { decideOnSegments(&action, now) }
    trim()
    if needsMore, let priority {
      isLoading = true
      action.load = Load(priority: priority, after: cursor, count: Self.batch)
    }
    if usedSlots < limit, !isDiskBehind, !isPaused {
      action.wake = [action.wake, window.nextWake].compactMap { $0 }.min()
    }
    return action
  }

  /// Drops parked jobs of hosts with many of them, if they fill the window and no other job is ready, so
  /// that jobs of other hosts can be loaded.
  private mutating func trim() {
    if trimmed.contains(where: { window.parkedCount($0) < Self.parkedLimit / 4 }) {
      trimmed = []
      restartQueueScan()
    }
    guard priority != nil, !isLoading, window.readyCount == 0, usedSlots < limit,
      subscriberCount >= Self.windowLimit
    else { return }
    trimmed.formUnion(window.trimParked(keeping: Self.parkedLimit))
  }

  private var needsMore: Bool {
    !isLoading && !isPaused && priority != nil
      && (window.readyCount < Self.batch / 2 || usedSlots < limit)
      && subscriberCount < Self.windowLimit
  }

  private var subscriberCount: Int {
    active.values.reduce(window.count) { $0 + $1.job.subscribers.count }
  }

  /// Moves the jobs that may start now from the window to the action, in order.
  private mutating func startReadyJobs(_ action: inout Action, _ now: Double) {
    action.start.reserveCapacity(max(0, min(limit - usedSlots, window.readyCount)))
    while usedSlots < limit, !isDiskBehind, !isPaused, let job = window.dequeueNext() {
      if job.plan == .library {
        commitPending.formUnion(job.ids)
        action.answer.append(job)
      } else if var unreachable = unreachable(job, now) {
        if unreachable.job.leaveUnreachableHost(unreachable.reason, now: now) {
          window.append([unreachable.job])
          continue
        }
        commitPending.formUnion(job.ids)
        action.unreachable.append(unreachable)
      } else if job.host.isEmpty || mayStart(job, now) {
        active.updateValue(Active(job: job, startedAt: now), forKey: job.request)
        action.start.append(job)
      }
    }
  }

  /// Returns the job as unreachable if its host has failed too often and is not yet due for another try.
  private func unreachable(_ job: Job, _ now: Double) -> UnreachableJob? {
    guard let budget = hosts.unreachableBudget(job.host, at: now) else { return nil }
    return UnreachableJob(
      job: job, reason: budget.reason ?? "", attempts: budget.policy.failuresUntilUnreachable)
  }

  /// Counts the transfer for its host, or parks the job if the host does not allow it.
  private mutating func mayStart(_ job: Job, _ now: Double) -> Bool {
    switch hosts.countStart(of: job.host, at: now, isBackingOff: window.isBackingOff(job.host)) {
    case .now: return true
    case .later(let time):
      window.park(job, until: time)
      return false
    }
  }
}
