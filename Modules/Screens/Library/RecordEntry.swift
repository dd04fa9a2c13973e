import Models
import ProgressTree

/// What a row of the list of records says.
public struct RecordEntry: Sendable, Equatable {
  public var title: String
  /// Where its source is; empty where the title alone tells it from the others.
  public var origin = ""
  /// As `StatusText` says it.
  public var status: String
  /// How much is done, as `StatusText` says it: what failed is not done.
  public var done: String
  /// The numbers of `done` alone.
  public var share: String
  /// 0...1
  public var fraction: Double
  public var settled: Int
  public var total: Int
  /// Without what was cancelled.
  public var failed: Int
  public var cancelled: Int
  /// Bytes per second; 0: nothing moves.
  public var rate: Double
  /// Seconds.
  public var left: Double?
  public var isActive: Bool

  /// `done` for narrow places: of a record that is settled the status tells what failed.
  var shortDone: String { settled == total ? share : done }

  /// Whether there is something that `retry` brings back.
  var isUnsuccessful: Bool { failed + cancelled > 0 }
}

extension RecordEntry {
  /// Made of the store's row and the last snapshot of the engine.
  init(_ item: RecordItem, in library: LibraryStatus) {
    let record = item.record
    var counts = record.counts
    let progress = library.facts.records[record.id]
    if let progress {
      // Newer than the row, which is read once in a while.
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
        counts, activity: activity, isPaused: library.isPaused(record), isLazy: record.isLazy,
        isRunning: library.isRunning, cancelled: cancelled, digits: Readable.count),
      done: StatusText.done(counts, cancelled: cancelled, digits: Readable.count),
      share: "\(Readable.count(counts.finished))/\(Readable.count(counts.total))",
      fraction: progress?.fraction
        ?? (counts.total > 0 ? Double(counts.settled) / Double(counts.total) : 1),
      settled: counts.settled, total: counts.total, failed: counts.failed - cancelled,
      cancelled: cancelled, rate: isMoving ? library.bytesPerSecond(of: record.id) : 0,
      left: isMoving ? progress.flatMap { library.secondsLeft(of: $0) } : nil,
      isActive: isMoving)
  }
}
