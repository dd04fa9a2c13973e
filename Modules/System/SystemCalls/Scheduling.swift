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

  /// The policy of the calling thread, or nil for any other policy and if the kernel does not report it.
  public static var policy: Policy? { Policy(rawValue: imgdl_scheduling_policy()) }

  /// Prefers throughput to latency for the calling thread and the threads that it will start (`SCHED_BATCH`,
  /// decision 17). A policy that the user chose with `chrt` stays.
  ///
  /// With the default policy, threads that pass each other thousands of small messages per second preempt each
  /// other at each of them. Interactive programs get the processor first. Programs that this one starts have
  /// the default policy again (`spawnsOrdinary`).
  public static func preferThroughput() {
    if imgdl_schedule_as_batch(timeSlice) == 1 { hasChosen.store(true, ordering: .relaxed) }
  }

  /// Whether this program chose its policy itself. Such a policy is not inherited by the programs that it
  /// starts, because `imgdld` may run for weeks after it.
  public static var spawnsOrdinary: Bool { hasChosen.load(ordering: .relaxed) }

  private static let hasChosen = Atomic<Bool>(false)
}
