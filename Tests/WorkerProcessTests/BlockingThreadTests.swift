import Glibc
import Testing
import Threading

@Suite("Threads for blocking calls")
struct BlockingThreadTests {
  @Test("leave signals to other threads, except those of faults, whose handlers must run")
  func signals() async throws {
    let blocked = try await BlockingThread.run("mask") { () -> [Int32] in
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT, SIGCHLD].filter {
        sigismember(&mask, $0) == 1
      }
    }
    #expect(blocked == [SIGTERM, SIGINT, SIGCHLD])
  }
}
