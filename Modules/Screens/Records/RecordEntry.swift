import ProgressTree
import Models

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
  /// Bytes a second; 0: nothing moves.
  public var rate: Double
  /// Seconds.
  public var left: Double?
  public var isActive: Bool

  /// `done` for narrow places: of a record that is settled the status tells what failed.
  var shortDone: String { settled == total ? share : done }

  /// Whether there is something that `retry` brings back.
  var isUnsuccessful: Bool { failed + cancelled > 0 }
}

extension State {
  /// The rows of screen 1, made of the store's rows and the last snapshot of the engine.
  var recordEntries: some ItemSource<RecordEntry> {
    MappedSource(base: records.window) { item in
      var entry = entry(for: item)
      if let name = records.names[item.id] {
        (entry.title, entry.origin) = (name.title, name.origin)
      }
      return entry
    }
  }

  func entry(for item: RecordItem) -> RecordEntry {
    let record = item.record
    var counts = record.counts
    let progress = facts.records[record.id]
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
    return RecordEntry(
      title: record.title,
      status: StatusText.record(
        counts, activity: activity, isPaused: isPaused(record), isLazy: record.isLazy,
        isRunning: isRunning, cancelled: cancelled, digits: Readable.count),
      done: StatusText.done(counts, cancelled: cancelled, digits: Readable.count),
      share: "\(Readable.count(counts.finished))/\(Readable.count(counts.total))",
      fraction: progress?.fraction
        ?? (counts.total > 0 ? Double(counts.settled) / Double(counts.total) : 1),
      settled: counts.settled, total: counts.total, failed: counts.failed - cancelled,
      cancelled: cancelled, rate: isMoving ? records.rates.bytesPerSecond(record.id) : 0,
      left: isMoving ? progress.flatMap { records.rates.secondsLeft($0) } : nil,
      isActive: isMoving)
  }

  /// Whether somebody holds back what is left of a record.
  func isPaused(_ record: Record) -> Bool { facts.isPaused || record.isPaused }

  /// The text of one resource of the record that is open.
  func status(
    _ state: ResourceState, _ id: ResourceID, isCancelled: Bool
  ) -> String {
    let record = openRecord?.record
    return StatusText.resource(
      state, activity: facts.activities[id], isPaused: record.map(isPaused) ?? facts.isPaused,
      isLazy: record?.isLazy ?? false, isRunning: isRunning, isCancelled: isCancelled)
  }
}
