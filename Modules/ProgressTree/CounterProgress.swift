public import Models
import Synchronization

/// Progress by plain numbers: the comparison for `FoundationProgress`.
public final class CounterProgress: ProgressTracking {
  private let book = Mutex(ProgressBook())
  private let now: @Sendable () -> Double

  /// - Parameter now: seconds on a monotonic clock.
  public init(now: @escaping @Sendable () -> Double = MonotonicTime.seconds) {
    self.now = now
  }

  public func addRecord(
    _ id: RecordID, title: String, total: Int, finished: Int, failed: Int
  ) {
    book.withLock {
      $0.addRecord(id, title: title, total: total, finished: finished, failed: failed)
    }
  }

  public func removeRecord(_ id: RecordID) {
    book.withLock { _ = $0.removeRecord(id) }
  }

  public func begin(
    _ resource: ResourceID, in record: RecordID, label: String
  ) -> TransferCounter {
    book.withLock { book in
      book.begin(resource, in: record, label: label)
        ?? book.active[resource]?.counter ?? TransferCounter()
    }
  }

  public func stage(_ resource: ResourceID, _ stage: ResourceStage) {
    book.withLock { $0.stage(resource, stage) }
  }

  public func settle(_ resource: ResourceID, failed: Bool) {
    book.withLock { $0.settle(resource, failed: failed) }
  }

  public func suspend(_ resource: ResourceID) {
    book.withLock { _ = $0.end(resource) }
  }

  public func snapshot() -> LibraryProgress {
    let time = now()
    return book.withLock { book in
      var units: [RecordID: Double] = [:]
      var done = 0.0
      var all = 0.0
      for (id, entry) in book.records {
        let active = entry.active.reduce(Int64(0)) { $0 + (book.active[$1]?.units ?? 0) }
        let sum = Double(entry.finished + entry.failed) * 100 + Double(active)
        units[id] = entry.total > 0 ? sum / (Double(entry.total) * 100) : 1
        done += sum
        all += Double(entry.total) * 100
      }
      return book.snapshot(at: time, libraryFraction: all > 0 ? done / all : 1) {
        units[$0] ?? 0
      }
    }
  }
}
