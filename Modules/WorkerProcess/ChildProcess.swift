import CLinux
import Glibc
import Synchronization
import SystemCalls

/// A child process that this process has started or adopted. An object waits for the end of the child and
/// reports the resources that it used.
///
/// `wait` blocks, so it must be called on a thread that may block. `signal` may be called from any thread.
/// Deinitialization kills and reaps the process, so that no zombie remains.
public final class ChildProcess: Sendable {
  public struct Termination: Sendable, Equatable {
    public let status: ExitStatus
    public let cost: ProcessCost
  }

  public let processID: Int32
  /// A pidfd, which becomes readable when the process ends.
  private let descriptor: OwnedDescriptor
  /// The end of the process, or nil until the process has been reaped. Afterwards its process id may belong
  /// to another process.
  private let termination = Mutex<Termination?>(nil)
  /// The clock of the processor time of all threads of the process; nil if there is none.
  private let clock: clockid_t?

  /// Starts a program.
  /// - Throws: `.cannotStart`.
  public convenience init(_ launch: ProcessLaunch) throws(WorkerError) {
    self.init(adopting: try launch.start())
  }

  /// Adopts a child that has not been reaped, such as an orphan (`Machine.adoptOrphans`).
  public init(adopting process: Int32) {
    processID = process
    descriptor = OwnedDescriptor(imgdl_pidfd_open(process))
    var clock = clockid_t()
    self.clock = clock_getcpuclockid(process, &clock) == 0 ? clock : nil
  }

  deinit {
    kill()
    _ = wait(before: .never)
  }

  /// Sends a signal. Does nothing if the process has been reaped. Does not block.
  public func signal(_ number: Int32) {
    termination.withLock { if $0 == nil { _ = Glibc.kill(processID, number) } }
  }

  public func kill() { signal(SIGKILL) }

  /// The processor time in nanoseconds that all threads of the process have used; nil if the process has been
  /// reaped, or if the clock is not available.
  var processorNanoseconds: UInt64? {
    termination.withLock { ending in
      var used = timespec()
      guard ending == nil, let clock, clock_gettime(clock, &used) == 0 else { return nil }
      return UInt64(clamping: used.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: used.tv_nsec)
    }
  }

  /// Limits the processor time that the process may use, counted in whole seconds from its start (RLIMIT_CPU).
  /// Does nothing if the limit is not available.
  func limitProcessorTime(totalSeconds: UInt64) {
    termination.withLock { ending in
      if ending == nil { _ = imgdl_limit_processor(processID, totalSeconds) }
    }
  }

  /// Detaches the process: it is no longer waited for or killed.
  public func detach() {
    termination.withLock {
      if $0 == nil { $0 = Termination(status: .unknown, cost: ProcessCost()) }
    }
  }

  /// Whether the process has ended; reaps it in this case. Does not block.
  public var hasEnded: Bool { collect() != nil }

  /// Waits for the end of the process and reaps it. May be called repeatedly and from any thread.
  /// - Returns: How the process ended; nil if the deadline passed first.
  public func wait(before deadline: Deadline) -> Termination? {
    wait(within: .deadline(deadline))
  }

  func wait(within limit: WaitLimit) -> Termination? {
    var nextCheck = limit.firstCheck
    while true {
      if let known = collect() { return known }
      // Without a pidfd (before Linux 5.3), the loop checks every 10 ms.
      let isBlind = !descriptor.isOpen
      var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
      let wait = nextCheck.pollTimeout
      poll(&entry, 1, isBlind ? (wait < 0 ? 10 : min(10, wait)) : wait)
      guard nextCheck.hasPassed else { continue }
      switch limit.check(now: .now) {
      case .over: return collect()
      case .again(let moment): nextCheck = moment
      }
    }
  }

  private func collect() -> Termination? {
    termination.withLock { ending in
      if let known = ending { return known }
      var status: Int32 = 0
      var usage = rusage()
      let result = wait4(processID, &status, WNOHANG, &usage)
      if result == processID {
        ending = Termination(status: ExitStatus(waitStatus: status), cost: ProcessCost(usage))
      }
      if result < 0 && errno == ECHILD {
        ending = Termination(status: .unknown, cost: ProcessCost())
      }
      return ending
    }
  }
}

/// The resources used by a process and its reaped children (getrusage(2)).
public struct ProcessCost: Sendable, Equatable {
  /// The processor time in user mode, in seconds.
  public var user = 0.0
  /// The processor time in kernel mode, in seconds.
  public var system = 0.0
  /// The peak memory in bytes of the largest of these processes, not the sum. A new process inherits the peak
  /// of its parent, so only a larger value is its own.
  public var peakMemory: Int64 = 0

  public init() {}

  init(_ usage: rusage) {
    user = Self.seconds(usage.ru_utime)
    system = Self.seconds(usage.ru_stime)
    // Linux reports `ru_maxrss` in KiB.
    peakMemory = Int64(usage.ru_maxrss) &* 1_024
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  public static func += (a: inout ProcessCost, b: ProcessCost) {
    a.user += b.user
    a.system += b.system
    a.peakMemory = max(a.peakMemory, b.peakMemory)
  }

  /// The cost of the calling process so far, without its children.
  public static var ofThisProcess: ProcessCost {
    var usage = rusage()
    // 0 is RUSAGE_SELF, an enumerator of C that Swift does not convert.
    return getrusage(0, &usage) == 0 ? ProcessCost(usage) : ProcessCost()
  }
}
