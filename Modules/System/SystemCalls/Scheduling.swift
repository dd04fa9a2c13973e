import CLinux
import Synchronization

/// How the kernel shares out the processors among the threads of this program.
public enum Scheduling {
  /// As `sched(7)` has them.
  public enum Policy: Int32, Sendable {
    case ordinary = 0
    case batch = 3
    case idle = 5
  }

  /// Nanoseconds of a turn: many small files' worth of work, and no time that a person would notice.
  private static let turn: UInt64 = 10_000_000

  /// Of the calling thread; nil for those of real time, and where the kernel does not tell.
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
