import ProgressTree
import Models

/// What a row of the list of records says.
public struct RecordEntry: Sendable, Equatable {
  public var title: String
  /// As `StatusText` says it.
  public var status: String
  /// 0...1
  public var fraction: Double
  public var settled: Int
  public var total: Int
  public var failed: Int
  /// Bytes a second; 0: nothing moves.
  public var rate: Double
  /// Seconds.
  public var left: Double?
  public var isActive: Bool
  public var isLazy: Bool
  public var isSeries: Bool
}

extension State {
  /// The rows of screen 1, made of the store's rows and the last snapshot of the engine.
  var recordEntries: some ItemSource<RecordEntry> {
    MappedSource(base: records.window) { entry(for: $0) }
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
    return RecordEntry(
      title: record.title,
      status: StatusText.record(
        counts, activity: activity, isPaused: record.isPaused || facts.isPaused),
      fraction: progress?.fraction
        ?? (counts.total > 0 ? Double(counts.settled) / Double(counts.total) : 1),
      settled: counts.settled, total: counts.total, failed: counts.failed,
      rate: isMoving ? records.rates.bytesPerSecond(record.id) : 0,
      left: isMoving ? progress.flatMap { records.rates.secondsLeft($0) } : nil,
      isActive: isMoving, isLazy: record.isLazy, isSeries: item.isSeries)
  }
}

/// Makes items of others as they are asked for.
struct MappedSource<Base: ItemSource, Item>: ItemSource {
  let base: Base
  let transform: (Base.Item) -> Item

  var count: Int { base.count }

  func item(at index: Int) -> Item? { base.item(at: index).map(transform) }
}
