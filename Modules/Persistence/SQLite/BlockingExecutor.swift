import Dispatch

/// Runs the jobs of one actor in order on a thread that may block, so that no thread of the
/// cooperative pool ever waits for the disk.
///
/// A serial queue has a thread of its own while it has work: its target is the overcommitting root
/// queue, whose threads are not those of the cooperative pool.
final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
