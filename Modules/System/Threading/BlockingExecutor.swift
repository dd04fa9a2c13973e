package import Dispatch

/// Runs the jobs of one actor in order on a thread that may block, so that no thread of the
/// cooperative pool waits for a disk, a terminal or a pipe.
///
/// A serial queue has a thread of its own while it has work: its target is the overcommitting root
/// queue, whose threads are not those of the cooperative pool.
package final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue
  /// The durations of the turns.
  package let turns = TurnDurations()

  package init(_ label: String, qos: DispatchQoS = .unspecified) {
    queue = DispatchQueue(label: "imgdl.\(label)", qos: qos)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { self.turns.measure { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  }

  /// Runs `body` in a turn after all previously enqueued ones, without creating a task, for thousands of
  /// messages from other threads. The actor assumes its isolation there.
  package func async(_ body: @escaping @Sendable () -> Void) {
    queue.async { self.turns.measure(body) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
