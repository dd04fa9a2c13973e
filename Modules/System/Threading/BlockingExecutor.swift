package import Dispatch

/// Runs the jobs of one actor in order on a thread that may block, so that no thread of the
/// cooperative pool waits for a disk, a terminal or a pipe.
///
/// A serial queue has a thread of its own while it has work: its target is the overcommitting root
/// queue, whose threads are not those of the cooperative pool.
package final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(_ label: String, qos: DispatchQoS = .unspecified) {
    queue = DispatchQueue(label: "imgdl.\(label)", qos: qos)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
