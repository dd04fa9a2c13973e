import CLinux
import Synchronization

/// The scheduling policy of this program's threads.
public enum Scheduling {
  /// The policies with their values in `sched(7)`.
  public enum Policy: Int32, Sendable {
    case ordinary = 0
    case batch = 3
    case idle = 5
  }

  /// The time slice in nanoseconds: long enough for many small files, too short for a user to notice.
  private static let timeSlice: UInt64 = 10_000_000

  /// The policy of the calling thread; nil if it is not a `Policy`, or if the kernel does not report it.
  public static var policy: Policy? { Policy(rawValue: imgdl_scheduling_policy()) }

  /// Prefers throughput to latency for the calling thread and the threads that it will start (`SCHED_BATCH`).
  /// A policy that the user chose with `chrt` stays.
  ///
  /// With the default policy, threads that pass each other thousands of messages per second preempt each
  /// other at each message. Under `SCHED_BATCH` other programs may get the processor first. Programs that
  /// this one starts get the default policy again (`spawnsOrdinary`). See decision 17 in
  /// Documentation/Decisions.
  public static func preferThroughput() {
    if imgdl_schedule_as_batch(timeSlice) == 1 { hasChosen.store(true, ordering: .relaxed) }
  }

  /// Whether this program has changed its own policy, so that programs which it starts must get the default
  /// policy: `imgdld`, for example, may run for weeks after the program that started it.
  public static var spawnsOrdinary: Bool { hasChosen.load(ordering: .relaxed) }

  private static let hasChosen = Atomic<Bool>(false)
}
