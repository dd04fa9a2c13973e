import Models
import ProgressTree

/// How far all records of a library are together.
///
/// The store counts every record, a moment late; the engine's snapshot counts only the records that it has
/// touched since it started, at once. So the sum is that of the store, and from the snapshot come the parts of
/// what is being done, and the newer counts where it knows every record.
struct LibrarySum: Equatable {
  let finished: Int
  let total: Int
  /// With what was cancelled.
  let failed: Int
  /// 0...1
  let fraction: Double

  init(_ counts: ResourceCounts, _ progress: LibraryProgress) {
    let knowsAll = progress.total >= counts.total
    total = max(counts.total, progress.total)
    finished = knowsAll ? progress.finished : counts.finished
    failed = knowsAll ? progress.failed : counts.failed
    let done =
      Double(finished + failed)
      + max(
        0, progress.fraction * Double(progress.total) - Double(progress.settled))
    fraction = total > 0 ? min(1, done / Double(total)) : 0
  }
}
