import Glibc
import SystemCalls
import WorkerProcess

/// One run of a program, from its start until it and everything that it started has ended.
struct MeasuredProcess: Sendable {
  struct Outcome: Sendable {
    let status: ExitStatus
    /// Its own, of the children that it collected, and of those that it left to us.
    let cost: ProcessCost
    /// From start to end, in seconds.
    let wallSeconds: Double
    /// See `Measurement.peakMemory`.
    let peakMemory: Int64
  }

  private let child: ChildProcess
  private let started: UInt64

  /// Seconds that helper programs may outlive it before they are killed; they end by themselves.
  private static let patience = 5.0

  /// Starts the program. `Machine.adoptOrphans` was called before.
  init(_ launch: ProcessLaunch) throws(WorkerError) {
    var launch = launch
    launch.leadsSession = true
    started = Machine.monotonicNanoseconds
    child = try ChildProcess(launch)
  }

  func kill() { child.kill() }

  /// Blocks until all is over.
  func wait() -> Outcome {
    var watch = MemoryWatch()
    var ending: ChildProcess.Ending?
    while ending == nil {
      watch.look(at: child.processID)
      ending = child.wait(before: .after(seconds: watch.interval))
    }
    let wall = Double(Machine.monotonicNanoseconds &- started) / 1e9
    var cost = ending?.cost ?? ProcessCost()
    for orphan in orphans { cost += Self.collect(ChildProcess(adopting: orphan)) }
    // The kernel's last word, if it is not just what the process inherited from us.
    let isOwn = cost.peakMemory > ProcessCost.own.peakMemory
    return Outcome(
      status: ending?.status ?? .unknown, cost: cost, wallSeconds: wall,
      peakMemory: max(watch.peak, isOwn ? cost.peakMemory : 0))
  }

  /// What it left to us. Other children of ours, which a shell may have left, are of another session.
  private var orphans: [Int32] {
    ProcessTree.children(of: Machine.processID).filter { getsid($0) == child.processID }
  }

  private static func collect(_ orphan: ChildProcess) -> ProcessCost {
    if let ending = orphan.wait(before: .after(seconds: patience)) { return ending.cost }
    orphan.kill()
    return orphan.wait(before: .never)?.cost ?? ProcessCost()
  }
}
