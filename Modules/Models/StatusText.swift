/// How many resources are doing what right now.
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

/// The one table of state texts that every program shows (DL2, DL8).
public enum StatusText {
  /// The state of a record. Precedence: paused, downloading, unzipping, rendering, queuing, finished.
  public static func record(
    _ counts: ResourceCounts, activity: ActivityCounts, isPaused: Bool
  ) -> String {
    let isSettled = counts.settled == counts.total
    if isPaused && !isSettled { return "Paused" }
    if activity.downloading > 0 { return "Downloading..." }
    if activity.unzipping > 0 { return "Unzipping..." }
    if activity.rendering > 0 { return "Rendering..." }
    if !isSettled { return "Queuing..." }
    return counts.failed == 0 ? "Finished" : "Finished, \(counts.failed) failed"
  }

  /// The state of one resource.
  public static func resource(_ state: ResourceState, activity: ResourceActivity?) -> String {
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
    case .queued: return "Queueing"
    case .stored, .fetched: return "Rendering"
    case .finished: return "Finished"
    case .failed: return "Error"
    }
  }
}

/// Byte counts for people: decimal units, one digit after the point above a kilobyte.
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
}
