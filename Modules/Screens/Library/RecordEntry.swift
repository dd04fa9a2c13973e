import Models
import ProgressTree

/// The texts and numbers in a row of the list of records.
public struct RecordEntry: Sendable, Equatable {
  public var title: String
  /// The location of the source; empty if the title alone identifies the record.
  public var origin = ""
  /// The state, in the words of `StatusText`.
  public var status: String
  /// The completed part, in the words of `StatusText`; failed resources do not count as completed.
  public var completionText: String
  /// The numbers of finished and of all resources, such as `12/40`.
  public var share: String
  /// The progress, 0...1.
  public var fraction: Double
  public var settled: Int
  public var total: Int
  /// The number of failed resources, excluding cancelled ones.
  public var failed: Int
  public var cancelled: Int
  /// The transfer rate in bytes per second; 0 if nothing is transferred.
  public var rate: Double
  /// The estimated remaining time in seconds; nil if it is unknown.
  public var secondsLeft: Double?
  public var isActive: Bool

  /// A short form of `completionText`. If the record has no unfinished resources, it omits the failures,
  /// which `status` contains.
  var shortDone: String { settled == total ? share : completionText }

  /// Whether `retry` would have an effect.
  var isUnsuccessful: Bool { failed + cancelled > 0 }
}

extension RecordEntry {
  /// Creates the entry from the store's row and the engine's last snapshot.
  init(_ item: RecordItem, in library: ReportedLibrary) {
    let record = item.record
    var counts = record.counts
    let progress = library.snapshot.records[record.id]
    if let progress {
      // The snapshot is newer than the row, which is read less often.
      counts.finished = progress.finished
      counts.failed = progress.failed
      counts.queued = max(0, progress.total - progress.settled)
      (counts.stored, counts.fetched) = (0, 0)
    }
    let activity = progress?.activity ?? ActivityCounts()
    let isMoving = activity.downloading + activity.unzipping + activity.rendering > 0
    let cancelled = min(item.cancelled, counts.failed)
    self.init(
      title: record.title,
      status: StatusText.record(
        counts, activity: activity, isPaused: library.isPaused(record),
        isOnDemand: record.isOnDemand, isQueuedByClient: record.isQueuedByClient,
        isRunning: library.isRunning, cancelled: cancelled, digits: Readable.count),
      completionText: StatusText.done(counts, cancelled: cancelled, digits: Readable.count),
      share: "\(Readable.count(counts.finished))/\(Readable.count(counts.total))",
      fraction: progress?.fraction
        ?? (counts.total > 0 ? Double(counts.settled) / Double(counts.total) : 1),
      settled: counts.settled, total: counts.total, failed: counts.failed - cancelled,
      cancelled: cancelled, rate: isMoving ? library.bytesPerSecond(of: record.id) : 0,
      secondsLeft: isMoving ? progress.flatMap { library.secondsLeft(of: $0) } : nil,
      isActive: isMoving)
  }
}
