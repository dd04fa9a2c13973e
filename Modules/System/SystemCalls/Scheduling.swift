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
  private static let turn: UInt64 = 10_000_000

  /// The policy of the calling thread, or nil for any other policy and if the kernel does not report it.
  public static var policy: Policy? { Policy(rawValue: imgdl_scheduling_policy()) }

  /// Asks for throughput in place of quick turns, for the calling thread and those that it will begin
  /// (`SCHED_BATCH`, decision 17). Who chose another policy from outside (`chrt`) keeps it.
  ///
  /// Threads that hand each other thousands of small things a second otherwise interrupt each other
  /// for each of them. Programs of people go first.
  /// Programs that this one starts are ordinary again (`spawnsOrdinary`).
  public static func preferThroughput() {
    if imgdl_schedule_as_batch(turn) == 1 { hasChosen.store(true, ordering: .relaxed) }
  }

  /// Whether the policy is this program's own choice, in which what it starts has no part: `imgdld`
  /// may outlive it by weeks.
  public static var spawnsOrdinary: Bool { hasChosen.load(ordering: .relaxed) }

  private static let hasChosen = Atomic<Bool>(false)
}
