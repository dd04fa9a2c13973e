import Engine
import Glibc
import Models
import ProgressTree
import SystemCalls

/// What is happening in a library at this moment, as far as that is known from outside.
struct RunningState {
  private let activity: [RecordID: ActivityCounts]
  private let isPaused: Bool
  private let hosts: [HostStatus]

  /// - Parameters:
  ///   - status: of the engine that runs; nil if none does.
  ///   - isPaused: the library, in its store.
  init(_ status: EngineStatus?, isPaused: Bool) {
    self.isPaused = status?.isPaused ?? isPaused
    var activity: [RecordID: ActivityCounts] = [:]
    for record in status?.progress.records ?? [] where record.activity != ActivityCounts() {
      activity[record.id] = record.activity
    }
    self.activity = activity
    hosts = status?.hosts ?? []
  }

  /// The text that every program shows (DL2).
  func text(_ record: Record) -> String {
    StatusText.record(
      record.counts, activity: activity[record.id] ?? ActivityCounts(),
      isPaused: isPaused || record.isPaused)
  }

  /// Why hosts wait or get less than others, and until when.
  var hostLines: [String] {
    hosts.compactMap { host in
      guard let reason = host.reason else { return nil }
      let limit = "\(Summary.count(host.limit, "transfer")) at the same time"
      let wait = host.waits.map { "waits \(ProgressLines.time($0)), until \(Self.time(in: $0))" }
      return "\(host.host): \(wait ?? limit): \(reason)"
    }
  }

  /// Of the day, here: `14:03:20`.
  private static func time(in seconds: Double) -> String {
    guard seconds.isFinite, seconds < 359_999 else { return "—" }
    var moment = time_t(Machine.unixSeconds) + time_t(max(0, seconds).rounded(.up))
    var parts = tm()
    guard localtime_r(&moment, &parts) != nil else { return "—" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
