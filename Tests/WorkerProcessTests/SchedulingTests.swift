import Glibc
import SystemCalls
import Testing
import Threading
import WorkerProcess

@Suite struct SchedulingTests {
  @Test("a program that prefers throughput has batch threads, also those that it starts")
  func inherited() async throws {
    let before = Scheduling.policy
    let seen = try await onThread { () -> (Scheduling.Policy?, Scheduling.Policy?) in
      Scheduling.preferThroughput()
      return (Scheduling.policy, Self.policyOfNewThread())
    }
    #expect(seen.0 == .batch)
    #expect(seen.1 == .batch)
    #expect(Scheduling.policy == before, "the policy of other threads changed")
  }

  @Test("a policy that was set from outside is kept")
  func chosen() async throws {
    let policy = try await onThread { () -> Scheduling.Policy? in
      var parameter = sched_param()
      sched_setscheduler(0, Scheduling.Policy.idle.rawValue, &parameter)
      Scheduling.preferThroughput()
      return Scheduling.policy
    }
    #expect(policy == .idle)
  }

  @Test("a child of a batch program has the ordinary policy")
  func started() async throws {
    let policy = try await onThread { () -> Result<String, any Error> in
      Scheduling.preferThroughput()
      return Result {
        let pipe = try Channels.pipe()
        let child = try ChildProcess(
          ProcessLaunch(
            path: "/bin/sh", arguments: ["-c", "cut -d ' ' -f 41 /proc/self/stat"],
            streams: [.none, .existing(pipe.writing), .inherited(2)]))
        pipe.writing.close()
        let output = try pipe.reading.remainingBytes(limit: 64)
        _ = child.wait(before: .after(seconds: 600))
        return String(decoding: output, as: UTF8.self)
      }
    }
    #expect(try policy.get() == "0\n")
  }

  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try BlockingThread("scheduling") { continuation.resume(returning: body()) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Blocks until that thread has told.
  private static func policyOfNewThread() -> Scheduling.Policy? {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { _ in UnsafeMutableRawPointer(bitPattern: Int(Scheduling.policy?.rawValue ?? -1)) },
      nil)
    guard code == 0 else { return nil }
    var result: UnsafeMutableRawPointer?
    pthread_join(thread, &result)
    return Scheduling.Policy(rawValue: Int32(Int(bitPattern: result)))
  }
}
