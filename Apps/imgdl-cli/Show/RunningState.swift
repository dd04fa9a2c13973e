import Composition
import Glibc
import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls

/// The current activity of a library, as reported by the engine that runs for it, if any.
struct RunningState {
  private let activity: [RecordID: ActivityCounts]
  private let resources: [ResourceID: ResourceActivity]
  private let dimensions: [ResourceID: ImageDimensions]
  private let isPaused: Bool
  private let isRunning: Bool
  private let hosts: [HostStatus]
  /// The sentence about a process that holds the library and does not respond; nil if there is none.
  private let silence: String?

  /// - Parameters:
  ///   - status: The status of the running engine, or nil if no engine runs.
  ///   - isPaused: Whether the store says that the library is paused.
  init(_ status: LibraryStatus?, isPaused: Bool) {
    self.init(status.map { .running($0) } ?? .none, isPaused: isPaused)
  }

  init(_ engine: LibraryOpener.OtherEngine, isPaused: Bool) {
    let status: LibraryStatus?
    switch engine {
    case .none: (status, isRunning, silence) = (nil, false, nil)
    case .running(let running): (status, isRunning, silence) = (running, true, nil)
    case .silent(let holder, let isStopped):
      (status, isRunning) = (nil, !isStopped)
      silence = holder.silence(isStopped: isStopped)
    }
    self.isPaused = status?.isPaused ?? isPaused
    resources = Dictionary(
      (status?.progress.active ?? []).map { ($0.id, $0.activity) }, uniquingKeysWith: { $1 })
    dimensions = Dictionary(
      (status?.progress.active ?? []).compactMap { each in each.dimensions.map { (each.id, $0) } },
      uniquingKeysWith: { $1 })
    var activity: [RecordID: ActivityCounts] = [:]
    for record in status?.progress.records ?? [] where record.activity != ActivityCounts() {
      activity[record.id] = record.activity
    }
    self.activity = activity
    hosts = status?.hosts ?? []
  }

  /// Reads the state from the engine and the store of a command's library.
  init(_ context: Context, _ store: any LibraryReader) async throws {
    self.init(
      await context.otherEngine(), isPaused: try await store.libraryState().isPaused)
  }

  /// The status text of a record, the same in every program (DL2).
  func text(_ record: Record, cancelled: Int = 0) -> String {
    StatusText.record(
      record.counts, activity: activity[record.id] ?? ActivityCounts(),
      isPaused: isPaused || record.isPaused, isOnDemand: record.isOnDemand,
      isQueuedByClient: record.isQueuedByClient, isRunning: isRunning, cancelled: cancelled)
  }

  func text(_ record: Record, in store: any LibraryReader) async throws -> String {
    text(record, cancelled: try await store.cancelledCount(of: record))
  }

  /// The status text of a resource (DL8).
  func text(_ resource: Resource, in record: Record) -> String {
    StatusText.resource(
      resource, activity: resources[resource.id], isPaused: isPaused || record.isPaused,
      isOnDemand: resource.isOnDemand(in: record), isQueuedByClient: record.isQueuedByClient,
      isRunning: isRunning)
  }

  /// Returns the dimensions of an image that is being downloaded; nil if they are unknown.
  func dimensions(of resource: Resource) -> ImageDimensions? { dimensions[resource.id] }

  /// Returns a resource as a line of machine-readable output.
  /// - Parameter size: The size of the first stored page; nil if there is none.
  func line(_ resource: Resource, in record: Record, size: PageSize?) -> ResourceLine {
    let own = dimensions(of: resource).map { PageSize(width: $0.width, height: $0.height) }
    return ResourceLine(
      resource, in: record, live: liveState(resource, in: record), size: own ?? size)
  }

  private func liveState(_ resource: Resource, in record: Record) -> ResourceLine.LiveState {
    switch resources[resource.id] {
    case .downloading(let received, let expected)?:
      return ResourceLine.LiveState(stage: "downloading", received: received, expected: expected)
    case .unzipping?: return ResourceLine.LiveState(stage: "unzipping")
    case .rendering?: return ResourceLine.LiveState(stage: "rendering")
    case nil: break
    }
    // As in the status text, a resource waits only if it will be processed without an action of the user.
    guard isRunning else { return ResourceLine.LiveState() }
    switch resource.state {
    case .queued where !isPaused && !record.isPaused && !resource.isOnDemand(in: record):
      return ResourceLine.LiveState(stage: "queuing")
    case .stored, .fetched: return ResourceLine.LiveState(stage: "rendering")
    case .queued, .finished, .failed: return ResourceLine.LiveState()
    }
  }

  /// Prints why nothing happens: which process does not respond, or how to continue stopped work if one of the status
  /// texts is `Stopped`.
  func printContinuation(_ texts: String..., to console: Console) {
    if let silence {
      console.printWrappedNote(silence)
    } else if texts.contains(StatusText.stopped) {
      console.printWrappedNote(
        "No program is downloading for this library; continue with \(StatusText.continuation).")
    }
  }

  /// One line for each host that waits or has a reduced limit, with the reason and the end of the wait.
  var hostLines: [String] {
    hosts.compactMap { host in
      guard let reason = host.reason else { return nil }
      let limit = "\(Summary.count(host.limit, "transfer")) at the same time"
      let wait = host.secondsToWait.map {
        "waits \(ProgressLines.time($0)), until \(Self.time(in: $0))"
      }
      return "\(host.host): \(wait ?? limit): \(reason)"
    }
  }

  /// Returns the local time of day after the given number of seconds: `14:03:20`.
  private static func time(in seconds: Double) -> String {
    guard seconds.isFinite, seconds < 359_999 else { return "—" }
    var moment = time_t(Machine.unixSeconds) + time_t(max(0, seconds).rounded(.up))
    var parts = tm()
    guard localtime_r(&moment, &parts) != nil else { return "—" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension LibraryHolder {
  /// The sentence about a process that holds the library and does not respond.
  func silence(isStopped: Bool) -> String {
    guard isHere else {
      return "This library is used by \(name); it cannot be reached from here."
    }
    if isStopped {
      return
        "Process \(process) uses this library and is stopped; continue it with kill -CONT \(process)."
    }
    return "Process \(process) uses this library and does not respond"
      + (missingSocket.isEmpty ? "." : "; its socket \(socket ?? "") is missing.")
  }
}

extension LibraryReader {
  /// Returns the number of failed resources that the user has cancelled.
  func cancelledCount(of record: Record) async throws -> Int {
    guard record.counts.failed > 0 else { return 0 }
    return try await failedCount(of: record.id, reason: Resource.cancelledReason)
  }
}
