import Dispatch

/// Runs an actor that writes to a terminal or a pipe on a thread that may block: a reader that
/// stops reading must not hold up the engine.
final class DisplayExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "imgdl.display")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
