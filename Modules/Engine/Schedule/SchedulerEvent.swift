public import Models
public import Persistence

/// The values that `Scheduler.handle` accepts.
extension Scheduler {
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

  public enum Event: Sendable {
    /// The store may hold new resources anywhere in the queue.
    case queueChanged
    /// The result of a `.load`: the next resources of the store, in order; `isEnd` marks the end of that
    /// priority.
    case loaded([Item], isEnd: Bool)
    /// Resources became visible in a viewer, or callers began to wait for them.
    case wanted([Item])
    /// A caller waiting for the resource requires a new transfer, even if the library holds an answer.
    case reloadRequired(ResourceID, RequestKey)
    /// Resources are no longer visible in any viewer, and no caller waits for them.
    case unwanted([ResourceID])
    /// The client that requested these resources does not want them any more: they do not start, and a
    /// transfer without other subscribers is cancelled.
    case withdrawn([ResourceID])
    /// The transfer can use so many connections besides its first one, instead of an earlier number. They lead
    /// to the host `from`; nil means that of the job.
    case segmentsWanted(RequestKey, Int, from: HostName? = nil)
    /// The transfer no longer uses one of its further connections.
    case segmentEnded(RequestKey)
    /// A request that belongs to no job is to be sent to the host.
    case requestWanted(SingleRequests.ID, HostName)
    /// The single request has ended, or is no longer wanted.
    case requestEnded(SingleRequests.ID)
    /// The transfer returns one of its further connections, because it can make no use of any.
    case segmentRefused(RequestKey)
    /// The transfer has ended and its slot is free; the rows of its subscribers are unchanged.
    case ended(RequestKey)
    /// The slot of the request, if it had one, is free, and the rows of these subscribers are about to
    /// change. Other subscribers are tried again. `answer` is the file that the store will record as the
    /// answer to the request.
    case commitStarted(RequestKey, [ResourceID], answer: ExistingFile?)
    /// The rows of these resources have been written.
    case commitEnded([ResourceID])
    /// The transfer has ended and the job is to be retried as given.
    case retryRequested(Job)
    /// The file that these resources were to share is missing, so they must be downloaded; the file of
    /// resource `missing` no longer answers any request.
    case duplicateMissing([Item], missing: ResourceID)
    /// The resource received its file without a transfer; its row is about to be written.
    case receivedExistingFile(ResourceID, RequestKey, answer: ExistingFile)
    case host(HostName, HostEvent)
    case limitChanged(Int)
    case hostLimitChanged(Int)
    /// All resources of the record that are not visible have this precedence from now on.
    case reordered(RecordID, Precedence)
    /// The disk falls behind the downloads, or has caught up. While it is behind, no transfer starts.
    case diskBehind(Bool)
    /// The scheduler is paused, which cancels running transfers, or resumed. Waiting jobs keep their
    /// positions.
    case paused(Bool)
    /// The record is dropped: none of its resources starts, and its running transfers lose their
    /// subscribers.
    case recordDropped(RecordID)
    /// The record may start again; its queued resources are found after `queueChanged`.
    case recordRestored(RecordID)
    /// The scheduler is stopped: no transfer starts any more.
    case stopped
    /// A requested wake-up time has been reached.
    case tick
  }

  /// The observed behaviour of a host.
  public enum HostEvent: Sendable {
    /// The host answered normally to a transfer that began at `startedAt`.
    case answered(startedAt: Double)
    /// The host throttled a transfer that began at `startedAt` (429, 503).
    /// - Parameter chance: A random number, uniform in 0..<1.
    case throttled(startedAt: Double, retryAfter: Double?, reason: String, chance: Double)
    /// No connection to the host could be established.
    case refused(startedAt: Double, reason: String, chance: Double)
  }
}
