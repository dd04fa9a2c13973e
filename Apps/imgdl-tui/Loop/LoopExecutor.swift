import Dispatch

/// The loop has a thread of its own, so that neither downloads nor decoding hold up a frame.
final class LoopExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "imgdl.loop", qos: .userInteractive)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
