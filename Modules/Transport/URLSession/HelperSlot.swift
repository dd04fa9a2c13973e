import SystemCalls
import WorkerProcess

/// One helper process and its pending exchanges. Confined to the thread of the `HelperLoop`.
final class HelperSlot {
  let worker: WorkerProcess
  var isReady = false
  /// The transfer ids of the running exchanges, by exchange number.
  var exchanges: [UInt64: UInt64] = [:]
  /// The abandoned exchanges that the helper has not released yet, by exchange number.
  var abandoned: [UInt64: Abandoned] = [:]
  /// The time by which the helper must be ready, in nanoseconds of `CLOCK_MONOTONIC`.
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

  /// The time at which the helper counts as stuck, because it is not ready or has not released an
  /// abandoned exchange; nil if neither is pending.
  var deadline: UInt64? {
    let cancels = abandoned.values.lazy.map(\.deadline).min()
    return isReady ? cancels : min(startDeadline, cancels ?? .max)
  }
}
