public import Models

/// The values that `Scheduler.handle` returns.
extension Scheduler {
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
}
