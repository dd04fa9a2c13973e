import SystemCalls
import WorkerProcess

/// One helper process and what it still owes us. Belongs to the loop's thread.
final class HelperSlot {
  let worker: WorkerProcess
  var isReady = false
  /// Exchanges in work, with their transfers.
  var exchanges: [UInt64: UInt64] = [:]
  /// Exchanges that were abandoned: the helper must say that it has let go of them before then.
  var abandoned: [UInt64: Abandoned] = [:]
  /// The time at which the helper must be ready.
  let startDeadline: UInt64

  struct Abandoned {
    /// The transfer whose place becomes free with the exchange; nil when a redirect continues in it.
    let transfer: UInt64?
    let deadline: UInt64
  }

  init(_ program: WorkerProgram, startDeadline: UInt64) throws(WorkerError) {
    worker = try WorkerProcess(program)
    self.startDeadline = startDeadline
  }

  /// The moment at which the helper counts as stuck.
  var deadline: UInt64? {
    let cancels = abandoned.values.lazy.map(\.deadline).min()
    return isReady ? cancels : min(startDeadline, cancels ?? .max)
  }
}
