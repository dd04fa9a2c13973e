/// A priority queue of deadlines, the earliest first (a binary heap).
///
/// An entry is never removed before its time. When an entry is due, its owner checks whether the
/// deadline has moved, and then adds another entry; a transfer that moves its deadline with each of
/// thousands of reads therefore has only one entry.
struct DeadlineQueue {
  struct Entry: Equatable {
    /// The deadline in nanoseconds of `CLOCK_MONOTONIC`.
    let time: UInt64
    let id: UInt64
  }

  private var heap: [Entry] = []

  var next: UInt64? { heap.first?.time }

  /// Adds an entry. O(log n).
  mutating func add(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].time < heap[parent].time else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the earliest entry that is due at `now`; nil if none is. O(log n).
  mutating func popDue(_ now: UInt64) -> Entry? {
    guard let first = heap.first, first.time <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].time < heap[smallest].time {
        smallest = child
      }
      if smallest == parent { return first }
      heap.swapAt(smallest, parent)
      parent = smallest
    }
  }
}

/// Times in nanoseconds of `CLOCK_MONOTONIC`; `never` represents no deadline.
enum Moment {
  static let never = UInt64.max

  /// Returns the time `seconds` after `start`; `never` if `seconds` is not positive, or is at least
  /// 1e9.
  static func after(_ start: UInt64, seconds: Double) -> UInt64 {
    guard seconds > 0, seconds < 1e9 else { return never }
    let (sum, overflow) = start.addingReportingOverflow(UInt64(seconds * 1e9))
    return overflow ? never : sum
  }

  static func milliseconds(from start: UInt64, to end: UInt64) -> Double {
    end > start ? Double(end - start) / 1e6 : 0
  }
}
