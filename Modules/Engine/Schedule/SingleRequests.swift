/// The requests that belong to no job and no resource's transfer, such as those for parts of archives. Part of
/// the scheduler.
///
/// Each of them counts as a transfer, for the limit of all hosts and for the budget of its host. A user waits for
/// each, so they precede all jobs, and a pause of the library does not hold them back.
public struct SingleRequests: Sendable {
  /// Identifies a single request among all those of an engine.
  public struct ID: Sendable, Hashable {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }
  }

  /// A request that is not sent, because its host is unreachable.
  public struct Refusal: Sendable, Equatable {
    public let id: ID
    /// The reason of the last failure to connect.
    public let reason: String
  }

  /// The requests that wait for a slot, in the order of their arrival.
  var waiting: [(id: ID, host: HostName)] = []
  /// The requests that occupy a slot.
  var running: [ID: HostName] = [:]

  init() {}

  func waitingCount(_ host: HostName) -> Int { waiting.count { $0.host == host } }
}

extension Scheduler {
  /// Starts the single requests whose hosts allow it, in order, and refuses those of unreachable hosts.
  mutating func startSingleRequests(_ action: inout Action, _ now: Double) {
    var left: [(id: SingleRequests.ID, host: HostName)] = []
    for (id, host) in singleRequests.waiting {
      if let budget = hosts.unreachableBudget(host, at: now) {
        action.refuseRequests.append(
          SingleRequests.Refusal(id: id, reason: budget.reason ?? "the host is unreachable"))
        continue
      }
      guard usedSlots < limit else {
        left.append((id, host))
        continue
      }
      // The budget itself says until when the host backs off, also for a host without jobs.
      switch hosts.countStart(of: host, at: now, isBackingOff: false) {
      case .now:
        singleRequests.running[id] = host
        action.startRequests.append(id)
      case .later(let time):
        left.append((id, host))
        if let time { action.wake = min(action.wake ?? .infinity, time) }
      }
    }
    singleRequests.waiting = left
  }

  mutating func endSingleRequest(_ id: SingleRequests.ID) {
    guard let host = singleRequests.running.removeValue(forKey: id) else {
      return singleRequests.waiting.removeAll { $0.id == id }
    }
    release(1, of: host)
  }
}
