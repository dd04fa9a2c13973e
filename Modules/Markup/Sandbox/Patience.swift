import WorkerProcess

/// The time that the reader waits for the messages of one document: for each message, and for all of them
/// together, because a worker that was taken over could otherwise send one item after the other for months.
///
/// Only waiting counts, so that a slow receiver of the items does not use up the time.
struct Patience {
  /// The time for all messages, as a multiple of that for one. A sound worker uses at most the time of one
  /// message as processor time, but may wait for a busy machine.
  static let factor = 10.0

  private let seconds: Double
  private var left: Double

  /// - Parameter seconds: The maximum time for one message.
  init(seconds: Double) {
    self.seconds = seconds
    left = seconds * Self.factor
  }

  /// The maximum time in seconds for the next message.
  var nextSeconds: Double { max(0, min(seconds, left)) }

  /// The moment until which the next message must arrive.
  var deadline: Deadline { .after(seconds: nextSeconds) }

  mutating func waited(nanoseconds: UInt64) { left -= Double(nanoseconds) / 1e9 }
}
