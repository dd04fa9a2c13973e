import Glibc
import SystemCalls
import WorkerProcess

/// One run of a program, from its start until the process and all its descendants have ended.
struct MeasuredProcess: Sendable {
  struct Outcome: Sendable {
    let status: ExitStatus
    /// The resource usage of the process itself, of the children that it waited for, and of its orphans.
    let cost: ProcessCost
    /// The time from start to end, in seconds.
    let wallSeconds: Double
    /// The peak memory in bytes; see `Measurement.peakMemory`.
    let peakMemory: Int64
  }

  private let child: ChildProcess
  private let started: UInt64

  /// The time in seconds after the end of the process after which its remaining helper programs are killed.
  /// Usually they exit by themselves.
  private static let timeout = 5.0

  /// Starts the program. The caller must have called `Machine.adoptOrphans`.
  init(_ launch: ProcessLaunch) throws(WorkerError) {
    var launch = launch
    launch.leadsSession = true
    started = Machine.monotonicNanoseconds
    child = try ChildProcess(launch)
  }

  func kill() { child.kill() }

  /// Blocks until the process and all its descendants have ended.
  func wait() -> Outcome {
    var watch = MemoryWatch()
    var ending: ChildProcess.Termination?
    while ending == nil {
      watch.sample(at: child.processID)
      ending = child.wait(before: .after(seconds: watch.interval))
    }
    let wall = Double(Machine.monotonicNanoseconds &- started) / 1e9
    var cost = ending?.cost ?? ProcessCost()
    for orphan in orphans { cost += Self.collect(ChildProcess(adopting: orphan)) }
    // A peak at or below that of this process may have been inherited at the fork, so it is not used.
    let isOwn = cost.peakMemory > ProcessCost.ofThisProcess.peakMemory
    return Outcome(
      status: ending?.status ?? .unknown, cost: cost, wallSeconds: wall,
      peakMemory: max(watch.peak, isOwn ? cost.peakMemory : 0))
  }

  /// The orphans of the process, which this process has adopted. Other children of this process, which a
  /// shell may have left, belong to another session.
  private var orphans: [Int32] {
    ProcessTree.children(of: Machine.processID).filter { getsid($0) == child.processID }
  }

  private static func collect(_ orphan: ChildProcess) -> ProcessCost {
    if let ending = orphan.wait(before: .after(seconds: timeout)) { return ending.cost }
    orphan.kill()
    return orphan.wait(before: .never)?.cost ?? ProcessCost()
  }
}
