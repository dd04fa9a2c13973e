import WorkerProcess

/// One helper process and its pending exchanges. Confined to the thread of the `HelperLoop`.
final class HelperSlot {
  let worker: WorkerProcess
  var isReady = false
  /// The transfer ids of the running exchanges, by exchange number.
  var exchanges: [UInt64: UInt64] = [:]
  /// The abandoned exchanges that the helper has not released yet, by exchange number.
  var abandoned: [UInt64: Abandoned] = [:]
  /// The time in which the helper must be ready.
  private var startTime: WorkTime

  struct Abandoned {
    /// The transfer whose capacity becomes free with the exchange; nil if the transfer continues
    /// with a redirect.
    let transfer: UInt64?
    /// The time in which the helper must release the exchange.
    var time: WorkTime
  }

  /// - Parameter startSeconds: The processor time for the start.
  init(_ program: WorkerProgram, startSeconds: Double) throws(WorkerError) {
    worker = try WorkerProcess(program)
    startTime = worker.time(seconds: startSeconds)
  }

  /// The time, in nanoseconds of `CLOCK_MONOTONIC`, at which `isStuck` must be checked: not before it can
  /// the helper count as stuck. Nil if nothing is pending.
  var nextCheck: UInt64? {
    let cancels = abandoned.values.lazy.map(\.time.nextCheck.nanoseconds).min()
    return isReady ? cancels : min(startTime.nextCheck.nanoseconds, cancels ?? .max)
  }

  /// Whether the helper has used up the time in which it must be ready, or release an abandoned exchange.
  func isStuck() -> Bool {
    if !isReady, worker.end(of: &startTime) != nil { return true }
    for (number, var exchange) in abandoned {
      if worker.end(of: &exchange.time) != nil { return true }
      abandoned[number] = exchange
    }
    return false
  }
}
