import Models
import ProgressTree

/// The progress of all records of a library together.
///
/// The store counts every record, with a short delay; the engine's snapshot counts only the records that it
/// has touched since it started, without delay. Therefore the sum is based on the store's counts, and the
/// snapshot contributes the fractions of active resources, and newer counts if it covers every record.
struct LibrarySum: Equatable {
  let finished: Int
  let total: Int
  /// The number of failed resources, including cancelled ones.
  let failed: Int
  /// The progress, 0...1.
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
