import Dispatch
import Glibc
package import SystemCalls

/// Checks in advance whether this process can start the threads that it needs.
///
/// libdispatch, and with it the Swift runtime, retries forever to start a thread that the system refuses: a
/// program that waits for that thread hangs silently. The cause may be a limit of processes (`ulimit -u`), a
/// control group, or too little address space for a stack.
package enum ThreadSupply {
  /// Starts `count` simultaneous threads and ends them. Blocks for some tens of microseconds per thread.
  /// - Throws: The error of the first refused thread, usually `EAGAIN`, with the number of threads that did
  ///   start.
  package static func check(_ count: Int) throws(SystemError) {
    try check(count) { body throws(SystemError) in try BlockingThread("imgdl-probe", body) }
  }

  /// - Parameter start: Starts a thread.
  static func check(
    _ count: Int,
    starting start: (@escaping @Sendable () -> Void) throws(SystemError) -> BlockingThread
  ) throws(SystemError) {
    let gate = DispatchSemaphore(value: 0)
    var threads: [BlockingThread] = []
    var refusal: SystemError?
    while threads.count < count, refusal == nil {
      do throws(SystemError) {
        threads.append(try start { gate.wait() })
      } catch {
        refusal = error
      }
    }
    for _ in threads { gate.signal() }
    for thread in threads { thread.join() }
    guard let refusal else { return }
    throw SystemError(
      errno: refusal.errno, call: "start \(count) threads",
      explanation: "the system refuses more than \(threads.count) "
        + "(\(refusal.reason); see ulimit -u and the limits of the control group)")
  }
}
