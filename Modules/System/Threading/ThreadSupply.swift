import Dispatch
import Glibc
package import SystemCalls

/// Whether this process can have the threads that it is going to need.
///
/// libdispatch, and with it the runtime of Swift, tries without end to start a thread that the system
/// refuses: a program that waits for that thread hangs and says nothing. What refuses is a limit of
/// processes (`ulimit -u`), a control group, or too little address space for a stack.
package enum ThreadSupply {
  /// Starts so many threads, all of which live at the same time, and ends them. Blocks for some tens of
  /// microseconds a thread.
  /// - Throws: `EAGAIN` or whatever else refused one of them, with how many there can be.
  package static func check(_ count: Int) throws(SystemError) {
    try check(count) { body throws(SystemError) in try BlockingThread("imgdl-probe", body) }
  }

  /// - Parameter start: starts a thread.
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
