/// The numbers of resources that are being downloaded, unzipped and rendered at the moment.
public struct ActivityCounts: Sendable, Equatable {
  public var downloading = 0
  public var unzipping = 0
  public var rendering = 0

  public init(downloading: Int = 0, unzipping: Int = 0, rendering: Int = 0) {
    self.downloading = downloading
    self.unzipping = unzipping
    self.rendering = rendering
  }
}

/// The state texts that all programs show (DL2, DL8).
///
/// `Queuing...` and `Queueing` are shown only if an engine works for the library and will fetch the resource
/// without further action of the user.
public enum StatusText {
  public static let paused = "Paused"
  /// The state of a lazy record, or of a resource in one, which is fetched only when a viewer displays it.
  public static let onDemand = "On demand"
  /// The state if resources remain to be fetched or rendered, but no engine is running.
  public static let stopped = "Stopped"
  /// The command that continues a stopped library.
  public static let continuation = "imgdl-cli resume"

  /// The state of a record. Precedence: paused, downloading, unzipping, rendering, queuing, finished.
  /// - Parameters:
  ///   - isPaused: Whether the record or the whole library is paused.
  ///   - isOnDemand: Whether only the resources that a viewer displays are fetched.
  ///   - isQueuedByClient: Whether a client decides about the resources that are on demand. It has paused those that
  ///     are not being fetched.
  ///   - isRunning: Whether an engine works for the library.
  ///   - cancelled: The number of resources counted as failed that the user has cancelled.
  ///   - digits: Formats a count, plainly or with thousands separators for screens.
  public static func record(
    _ counts: ResourceCounts, activity: ActivityCounts, isPaused: Bool, isOnDemand: Bool = false,
    isQueuedByClient: Bool = false, isRunning: Bool = true, cancelled: Int = 0,
    digits: (Int) -> String = { "\($0)" }
  ) -> String {
    let isSettled = counts.settled == counts.total
    if isPaused && !isSettled { return paused }
    if activity.downloading > 0 { return "Downloading..." }
    if activity.unzipping > 0 { return "Unzipping..." }
    if activity.rendering > 0 { return "Rendering..." }
    guard isSettled else {
      return isOnDemand ? idle(isQueuedByClient) : isRunning ? "Queuing..." : stopped
    }
    return (["Finished"] + unsuccessful(counts, cancelled, digits)).joined(separator: ", ")
  }

  /// The state of what the engine does not fetch on its own.
  private static func idle(_ isQueuedByClient: Bool) -> String {
    isQueuedByClient ? paused : onDemand
  }

  /// The progress of a record: `10/12`, or `10/12, 2 failed`. Failed resources are not counted as done.
  public static func done(
    _ counts: ResourceCounts, cancelled: Int = 0, digits: (Int) -> String = { "\($0)" }
  ) -> String {
    (["\(digits(counts.finished))/\(digits(counts.total))"]
      + unsuccessful(counts, cancelled, digits)).joined(separator: ", ")
  }

  private static func unsuccessful(
    _ counts: ResourceCounts, _ cancelled: Int, _ digits: (Int) -> String
  ) -> [String] {
    let failed = max(0, counts.failed - cancelled)
    return (failed > 0 ? ["\(digits(failed)) failed"] : [])
      + (cancelled > 0 ? ["\(digits(cancelled)) cancelled"] : [])
  }

  /// Returns the state text of one resource.
  /// - Parameters: The same as those of `record`.
  public static func resource(
    _ state: ResourceState, activity: ResourceActivity?, isPaused: Bool = false,
    isOnDemand: Bool = false, isQueuedByClient: Bool = false, isRunning: Bool = true,
    isCancelled: Bool = false
  ) -> String {
    switch activity {
    case .downloading(let received, let expected?) where expected > 0:
      let percent = Int(max(0, min(99, Double(received) / Double(expected) * 100)))
      return "Downloading \(percent)%"
    case .downloading(let received, _):
      return "Downloading \(ByteText.short(received))"
    case .unzipping: return "Unzipping"
    case .rendering: return "Rendering"
    case nil: break
    }
    switch state {
    case .queued:
      if isPaused { return paused }
      return isOnDemand ? idle(isQueuedByClient) : isRunning ? "Queueing" : stopped
    case .stored, .fetched: return isRunning ? "Rendering" : stopped
    case .finished: return "Finished"
    case .failed: return isCancelled ? "Cancelled" : "Error"
    }
  }

  /// The state text of a resource from its stored row.
  public static func resource(
    _ resource: Resource, activity: ResourceActivity?, isPaused: Bool = false,
    isOnDemand: Bool = false, isQueuedByClient: Bool = false, isRunning: Bool = true
  ) -> String {
    Self.resource(
      resource.state, activity: activity, isPaused: isPaused, isOnDemand: isOnDemand,
      isQueuedByClient: isQueuedByClient, isRunning: isRunning, isCancelled: resource.isCancelled)
  }
}

extension Resource {
  /// The stored reason of a resource that the user has cancelled.
  public static let cancelledReason = "cancelled"

  /// Whether the user has cancelled the resource: its state is `failed`, but it is not counted as a failure.
  public var isCancelled: Bool { state == .failed && reason == Self.cancelledReason }

  /// The end of the reason of a resource whose server may have wanted the cookies of the source, which are not stored.
  public static let lostCookiesClause =
    "; the source had set cookies, which imgdl does not store: refresh the record to get them again"

  /// Whether the resource may have failed because the cookies of its source are not known any more.
  public var lacksCookies: Bool { reason?.hasSuffix(Self.lostCookiesClause) ?? false }

  /// Whether the resource waits for a viewer, if it is queued.
  /// - Parameter record: The record of the resource.
  public func isOnDemand(in record: Record) -> Bool { record.isLazy && !isNamed }
}

/// Texts for byte counts: decimal units, and one digit after the point from one kilobyte on.
public enum ByteText {
  public static func short(_ count: Int64) -> String {
    guard count >= 1_000 else { return "\(count) B" }
    var value = Double(count) / 1_000
    var unit = "kB"
    for larger in ["MB", "GB", "TB"] where value >= 999.95 {
      value /= 1_000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  /// The number of bytes out of a total, such as `12.3 MB of 400.0 MB, 3 %`.
  /// - Parameter total: The total in bytes, or nil if it is unknown.
  public static func progress(_ count: Int64, of total: Int64?) -> String {
    guard let total, total > 0 else { return short(count) }
    let percent = Int((Double(min(count, total)) * 100 / Double(total)).rounded(.down))
    return "\(short(count)) of \(short(total)), \(percent) %"
  }
}
