import SystemCalls
import Testing

@testable import WorkerProcess

@Suite("Processor time") struct ProcessorTimeTests {
  private static let second: UInt64 = 1_000_000_000

  private static func time(_ seconds: Double, used: UInt64?) -> WorkTime {
    WorkTime(seconds: seconds, used: used, now: Deadline(nanoseconds: 100 * second))
  }

  private static func at(_ seconds: UInt64) -> Deadline { Deadline(nanoseconds: seconds * second) }

  @Test("of earlier work does not count")
  func earlierWork() {
    let time = Self.time(2, used: 50 * Self.second)
    #expect(time.check(used: 51 * Self.second, now: Self.at(102)) == .again(at: Self.at(103)))
    #expect(time.check(used: 52 * Self.second, now: Self.at(102)) == .over(.processor))
  }

  @Test("is what counts on a machine that is busy with other programs")
  func busyMachine() {
    let time = Self.time(2, used: 0)
    #expect(time.nextCheck == Self.at(102))
    // The helper had a tenth of a processor until the last second.
    #expect(time.check(used: 1_900_000_000, now: Self.at(119)) != .over(.processor))
    #expect(time.check(used: 2_000_000_000, now: Self.at(119)) == .over(.processor))
  }

  @Test("that a waiting helper does not use ends after ten times as long on the clock")
  func waitingHelper() {
    let time = Self.time(2, used: 0)
    #expect(time.deadline == Self.at(120))
    #expect(time.check(used: 0, now: Self.at(119)) == .again(at: Self.at(120)))
    #expect(time.check(used: 0, now: Self.at(120)) == .over(.clock))
    #expect(time.ending(at: Self.at(105)).check(used: 0, now: Self.at(105)) == .over(.clock))
  }

  @Test("that is unknown leaves the limit of the clock")
  func unknown() {
    let time = Self.time(2, used: nil)
    #expect(time.nextCheck == Self.at(120))
    #expect(time.check(used: nil, now: Self.at(119)) == .again(at: Self.at(120)))
    #expect(time.check(used: nil, now: Self.at(120)) == .over(.clock))
  }

  @Test(
    "and the clock are bounded for any number of seconds", arguments: [0, -1, 1e300, .infinity])
  func extremes(_ seconds: Double) {
    let time = Self.time(seconds, used: 5)
    let isOver = seconds <= 0
    #expect((time.check(used: 5, now: Self.at(100)) != .again(at: time.deadline)) == isOver)
    #expect((time.deadline == .never) == !isOver)
  }

  @Test("is checked no more often than every few milliseconds near its end")
  func interval() {
    let now = Self.at(110)
    let check = Self.time(2, used: 0).check(used: 2 * Self.second - 1, now: now)
    #expect(check == .again(at: Deadline(nanoseconds: now.nanoseconds + 5_000_000)))
  }

  @Test("gives the kernel a new limit before a part of the work could reach the old one")
  func kernelLimit() {
    let time = Self.time(2, used: 10 * Self.second)
    #expect(!time.needsKernelLimit(used: 11 * Self.second - 1))
    #expect(time.needsKernelLimit(used: 11 * Self.second))
  }

  @Test("ends a helper that computes for longer than it was given")
  func limit() async throws {
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run {
        let worker = try Self.busyWorker()
        // On the clock, a helper with a small share of the processors may take any time for it.
        let time = worker.beginWork(seconds: 0.1).ending(at: .never)
        _ = try worker.call(Frame(kind: 1), within: time)
      }
    }
    #expect(error?.code == .processorTime)
    // SIGKILL
    #expect(error?.exit == .signal(9))
  }

  @Test("is also limited by the kernel, for a program that is suspended")
  func kernel() throws {
    let worker = try Self.busyWorker()
    _ = worker.beginWork(seconds: 0.1)
    let error = #expect(throws: WorkerError.self) { try worker.receive() }
    #expect(error?.code == .processorTime)
    // SIGXCPU
    #expect(error?.exit == .signal(24))
  }

  @Test("is not used by a helper that sleeps, which is killed after ten times as long")
  func sleeper() async throws {
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run {
        let worker = try WorkerProcess(
          WorkerProgram(path: "/bin/sh", arguments: ["-c", "exec sleep 1000"]))
        let time = worker.beginWork(seconds: 0.05)
        _ = try worker.call(Frame(kind: 1), within: time)
      }
    }
    #expect(error?.code == .timedOut)
    #expect(error?.exit == .signal(9))
  }

  private static func busyWorker() throws -> WorkerProcess {
    try WorkerProcess(WorkerProgram(path: "/bin/sh", arguments: ["-c", "while :; do :; done"]))
  }
}
