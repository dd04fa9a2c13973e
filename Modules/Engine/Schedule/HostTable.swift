import LibraryAPI
import Models

/// The number of active transfers and the budget of each host. A host without transfers whose budget equals
/// a new one has no entry.
struct HostTable: Sendable {
  struct Host: Sendable {
    fileprivate(set) var active = 0
    fileprivate(set) var budget: HostBudget

    /// The number of transfers that the limit of the host leaves room for.
    var room: Int { max(0, budget.limit - active) }
  }

  enum Start {
    case now
    /// The host does not allow the start.
    /// - Parameter at: The time at which the start may be allowed; nil if the start depends on other
    ///   events.
    case later(at: Double?)
  }

  private(set) var entries = KeyTable<HostName, Host>()
  private let policy: HostBudget.Policy
  /// The largest number of transfers of a host.
  private(set) var limit: Int

  init(limit: Int, policy: HostBudget.Policy) {
    self.limit = max(1, limit)
    self.policy = policy
  }

  var count: Int { entries.count }

  func contains(_ name: HostName) -> Bool { entries.contains(name) }

  mutating func setLimit(_ limit: Int) {
    self.limit = max(1, limit)
    for host in Array(entries.keys) { entries[host]?.budget.setMaximum(self.limit) }
  }

  // MARK: - Transfers

  /// Returns the number of transfers that the limit of a host leaves room for.
  func room(of name: HostName) -> Int { entries[name]?.room ?? limit }

  /// Returns the number of transfers beyond the limit of a host, which may have fallen since their start.
  func excess(of name: HostName) -> Int {
    entries[name].map { max(0, $0.active - $0.budget.limit) } ?? 0
  }

  /// Counts one more transfer, if the budget of the host allows it.
  /// - Parameter isBackingOff: Whether the host's jobs are parked until the end of a backoff.
  mutating func countStart(of name: HostName, at now: Double, isBackingOff: Bool) -> Start {
    change(name) { host in
      guard !isBackingOff, host.budget.mayStart(at: now, active: host.active) else {
        return .later(at: host.budget.nextStart(at: now, active: host.active))
      }
      host.active += 1
      host.budget.started(at: now)
      return .now
    }
  }

  /// Counts a transfer as ended.
  mutating func end(_ name: HostName) {
    let isDone = entries.change(name) { host in
      host.active -= 1
      return host.active == 0 && host.budget.isUntouched
    }
    if isDone ?? false { entries.removeValue(forKey: name) }
  }

  // MARK: - Behaviour

  /// Applies an event to the budget of a host.
  /// - Returns: The connection limit before the event, and the host after the event.
  mutating func apply(
    _ event: Scheduler.HostEvent, of name: HostName, at now: Double
  ) -> (limitBefore: Int, after: Host) {
    change(name) { host in
      let limit = host.budget.limit
      switch event {
      case .answered(let startedAt): host.budget.succeeded(startedAt: startedAt, at: now)
      case .throttled(let startedAt, let retryAfter, let reason, let chance):
        host.budget.throttled(
          startedAt: startedAt, at: now, retryAfter: retryAfter, reason: reason, chance: chance)
      case .refused(let startedAt, let reason, let chance):
        host.budget.refused(startedAt: startedAt, at: now, reason: reason, chance: chance)
      }
      return (limit, host)
    }
  }

  /// Removes hosts without transfers whose backoff is over; they get a new budget if they are needed
  /// again.
  mutating func removeIdle(at now: Double, unless isNeeded: (HostName) -> Bool) {
    for (name, host) in entries
    where host.active == 0 && host.budget.backoffEnd ?? 0 <= now && !isNeeded(name) {
      entries.removeValue(forKey: name)
    }
  }

  /// Returns the end of the host's last backoff, which may have passed; nil if there was none.
  func backoffEnd(of name: HostName) -> Double? { entries[name]?.budget.backoffEnd }

  /// Returns the budget of a host that has failed too often and is not yet due for another try, else nil.
  func unreachableBudget(_ name: HostName, at now: Double) -> HostBudget? {
    guard let budget = entries[name]?.budget, budget.isUnreachable, budget.backoffEnd ?? 0 > now
    else { return nil }
    return budget
  }

  /// Returns the status, by name, of hosts with transfers, and of throttled or failing hosts with waiting
  /// jobs. Hosts without jobs are left out.
  /// - Parameter wanted: Returns the hosts with waiting jobs; called only if necessary.
  func status(at now: Double, wanted: () -> Set<HostName>) -> [HostStatus] {
    let isHeld = entries.values.contains { $0.active == 0 && !$0.budget.isUntouched }
    let wanted = isHeld ? wanted() : []
    return entries.compactMap { name, host in
      guard host.active > 0 || wanted.contains(name) else { return nil }
      return HostStatus(
        host: name.text, active: host.active, limit: host.budget.limit,
        waits: host.budget.backoffEnd.flatMap { $0 > now ? $0 - now : nil },
        reason: host.budget.reason)
    }
    .filter { $0.active > 0 || $0.secondsToWait != nil || $0.reason != nil }
    .sorted { $0.host < $1.host }
  }

  /// Changes the state of a host, creating it if necessary.
  private mutating func change<Result>(
    _ name: HostName, _ body: (inout Host) -> Result
  ) -> Result {
    let (limit, policy) = (limit, policy)
    return body(&entries[name, default: Host(budget: HostBudget(maximum: limit, policy: policy))])
  }
}
