import Glibc
import SystemCalls
import WorkerProcess

/// One run of a program, from its start until it and everything that it started has ended.
struct MeasuredProcess: Sendable {
  struct Outcome: Sendable {
    let status: ExitStatus
    /// The cost of the process itself, of the children that it waited for, and of those that it left
    /// behind.
    let cost: ProcessCost
    /// The time from start to end, in seconds.
    let wallSeconds: Double
    /// The peak memory in bytes; see `Measurement.peakMemory`.
    let peakMemory: Int64
  }

  private let child: ChildProcess
  private let started: UInt64

  /// The seconds after the process's end at which remaining helper programs are killed; usually they end by
  /// themselves.
  private static let timeout = 5.0

  /// Starts the program. The caller must have called `Machine.adoptOrphans` before.
  init(_ launch: ProcessLaunch) throws(WorkerError) {
    var launch = launch
    launch.leadsSession = true
    started = Machine.monotonicNanoseconds
    child = try ChildProcess(launch)
  }

  func kill() { child.kill() }

  /// Blocks until the process and everything that it started have ended.
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
    // The kernel's peak counts unless it is the value that the process inherited from this one.
    let isOwn = cost.peakMemory > ProcessCost.ofThisProcess.peakMemory
    return Outcome(
      status: ending?.status ?? .unknown, cost: cost, wallSeconds: wall,
      peakMemory: max(watch.peak, isOwn ? cost.peakMemory : 0))
  }

  /// The children that the process left behind. Other children of this process, which a shell may have
  /// left, belong to another session.
  private var orphans: [Int32] {
    ProcessTree.children(of: Machine.processID).filter { getsid($0) == child.processID }
  }

  private static func collect(_ orphan: ChildProcess) -> ProcessCost {
    if let ending = orphan.wait(before: .after(seconds: timeout)) { return ending.cost }
    orphan.kill()
    return orphan.wait(before: .never)?.cost ?? ProcessCost()
  }
}
