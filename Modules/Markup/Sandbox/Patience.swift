import WorkerProcess

/// The time that the reader waits for all messages of one document together, because a worker that was taken over
/// could otherwise send one item after the other for months.
///
/// Only waiting counts, so that a slow receiver of the items does not use up the time.
struct Patience {
  private var left: Double

  /// - Parameter seconds: The maximum time for all messages.
  init(_ seconds: Double) { left = seconds }

  /// The moment until which the next message must arrive.
  var deadline: Deadline { .after(seconds: max(0, left)) }

  mutating func waited(nanoseconds: UInt64) { left -= Double(nanoseconds) / 1e9 }
}
