import Glibc
import Synchronization
import SystemCalls
import Testing

@testable import Threading

@Suite("Supply of threads") struct ThreadSupplyTests {
  private let refusal = SystemError(errno: EAGAIN, call: "start the thread")

  @Test("the requested number of threads run at the same time, and end")
  func enough() throws {
    let running = Mutex(0)
    try ThreadSupply.check(6) { body throws(SystemError) in
      running.withLock { $0 += 1 }
      return try BlockingThread("probe") {
        body()
        running.withLock { $0 -= 1 }
      }
    }
    #expect(running.withLock { $0 } == 0)
    try ThreadSupply.check(0)
  }

  @Test("a refused thread is an error that names the maximum; none of the others stays")
  func refused() throws {
    let running = Mutex(0)
    let error = #expect(throws: SystemError.self) {
      try ThreadSupply.check(6) { body throws(SystemError) in
        if running.withLock({ $0 }) == 2 { throw refusal }
        running.withLock { $0 += 1 }
        return try BlockingThread("probe", body)
      }
    }
    #expect(error?.errno == EAGAIN)
    #expect(
      error?.description == "cannot start 6 threads: the system refuses more than 2 "
        + "(Resource temporarily unavailable; see ulimit -u and the limits of the control group)")
  }
}
