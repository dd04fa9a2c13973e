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
  var window = WaitingWindow()
  var active = ActiveTransfers()
  var hosts: HostTable
  /// The position in the queue of the store.
  var scan = QueueScan()
  /// Requests that belong to no job.
  var singleRequests = SingleRequests()
  var commitPending = KeySet<ResourceID>()
  /// Recent answers that the store may not contain yet.
  var recent = RecentAnswers()
  /// Records whose resources are not loaded until the event `.kept`.
  var dropped: Set<RecordID>
  /// Hosts with so many waiting jobs that some were dropped; the store still lists the dropped resources.
  var trimmed: Set<HostName> = []
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
  var usedSlots: Int { active.count + active.segmentCount + singleRequests.running.count }
  /// The largest number of active transfers per host.
  public var hostLimit: Int { hosts.limit }
  /// The number of waiting resources.
  public var waitingCount: Int { window.count }
  /// Whether no job is active or waiting, and none is left in the store.
  public var isIdle: Bool {
    active.isEmpty && window.isEmpty && scan.isComplete && !scan.isLoading && trimmed.isEmpty
  }

  /// Returns an active job; its subscribers may have changed since its start.
  public func running(_ request: RequestKey) -> Job? { active.transfers[request]?.job }

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
    var action = Action(cancel: active.takeCancelled())
    guard !isStopped else { return action }
    let hosts = hosts
    window.wake(at: now) { name in hosts.room(of: name) }
    // A user waits for each single request, so it precedes the jobs.
    if !singleRequests.waiting.isEmpty { startSingleRequests(&action, now) }
    startReadyJobs(&action, now)
    if !active.segmented.isEmpty { decideOnSegments(&action, now) }
    trim()
    if needsMore { action.load = scan.beginLoad(count: Self.batch) }
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
    guard !scan.isComplete, !scan.isLoading, window.readyCount == 0, usedSlots < limit,
      subscriberCount >= Self.windowLimit
    else { return }
    trimmed.formUnion(window.trimParked(keeping: Self.parkedLimit))
  }

  private var needsMore: Bool {
    !scan.isLoading && !isPaused && !scan.isComplete
      && (window.readyCount < Self.batch / 2 || usedSlots < limit)
      && subscriberCount < Self.windowLimit
  }

  private var subscriberCount: Int {
    window.count + active.subscriberCount
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
        window.recordStart(of: job.host)
        active.start(job, at: now)
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
