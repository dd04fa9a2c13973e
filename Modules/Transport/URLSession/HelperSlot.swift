import SystemCalls
import WorkerProcess

/// One helper process and its pending exchanges. Confined to the loop's thread.
final class HelperSlot {
  let worker: WorkerProcess
  var isReady = false
  /// The transfers by their running exchanges.
  var exchanges: [UInt64: UInt64] = [:]
  /// The abandoned exchanges whose release the helper has not confirmed yet.
  var abandoned: [UInt64: Abandoned] = [:]
  /// The time at which the helper must be ready.
  let startDeadline: UInt64

  struct Abandoned {
    /// The transfer whose capacity becomes free with the exchange; nil if the transfer continues
    /// with a redirect.
    let transfer: UInt64?
    let deadline: UInt64
  }

  init(_ program: WorkerProgram, startDeadline: UInt64) throws(WorkerError) {
    worker = try WorkerProcess(program)
    self.startDeadline = startDeadline
  }

  /// The time at which the helper counts as stuck; nil if it owes nothing.
  var deadline: UInt64? {
    let cancels = abandoned.values.lazy.map(\.deadline).min()
    return isReady ? cancels : min(startDeadline, cancels ?? .max)
  }
}
