package import Dispatch

/// Runs the jobs of one actor in order on a thread that may block, so that no thread of the
/// cooperative pool waits for a disk, a terminal or a pipe.
///
/// A serial Dispatch queue has a thread of its own while it has work: its target is the overcommitting root
/// queue, whose threads do not belong to the cooperative pool.
package final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue
  /// The durations of the executor's turns; a turn is one job, or one call of the `body` of `async`.
  package let turns = TurnDurations()

  package init(_ label: String, qos: DispatchQoS = .unspecified) {
    queue = DispatchQueue(label: "imgdl.\(label)", qos: qos)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { self.turns.measure { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  }

  /// Runs `body` in a turn of its own after all jobs enqueued before. Creates no task, because other threads
  /// pass thousands of messages per second. `body` may call `assumeIsolated` of the actor.
  package func async(_ body: @escaping @Sendable () -> Void) {
    queue.async { self.turns.measure(body) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
