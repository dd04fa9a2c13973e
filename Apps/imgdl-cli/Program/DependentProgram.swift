import CLinux
import Glibc
import Synchronization
import SystemCalls
import WorkerProcess

/// Another program that the kernel kills when this program ends, even if this program is killed.
///
/// Only a process itself can request that signal (`PR_SET_PDEATHSIG`), and code between fork and exec may deadlock
/// in a process with threads. Therefore this program is started a second time, requests the signal, and becomes the
/// other program. The kernel sends the signal when the *thread* that has started the process ends, so that this
/// thread must also wait for the end of the process.
enum DependentProgram {
  /// The first argument of the second start, which is followed by the process identifier of this program, and the
  /// path and the arguments of the other one. It is not a part of the command line that users see.
  static let word = "--dependent-on"
  /// The exit code if the other program cannot be started, as in a shell.
  private static let failureCode: Int32 = 127

  /// - Returns: The launch of the program, or one that does not depend on this program if /proc is missing.
  static func launch(
    _ path: String, _ arguments: [String], streams: [ProcessLaunch.Stream]
  ) -> ProcessLaunch {
    guard let program = Machine.executablePath else {
      return ProcessLaunch(path: path, arguments: arguments, streams: streams)
    }
    return ProcessLaunch(
      path: program, arguments: [word, "\(Machine.processID)", path] + arguments, streams: streams)
  }

  /// The process groups of the programs that run, by the identifiers of their leaders.
  private static let groups = Mutex<Set<Int32>>([])

  /// Starts a program, which ends at the latest with this one. The caller must pass it to ``end(_:)``.
  static func start(_ launch: ProcessLaunch) throws(WorkerError) -> ChildProcess {
    // The lock is held while the program is started, so that ``endAll(then:)`` misses none.
    try groups.withLock { groups throws(WorkerError) in
      let child = try ChildProcess(launch)
      groups.insert(child.processID)
      return child
    }
  }

  /// Ends a program and all processes of its group. The group's number belongs to it until the program has been
  /// reaped, or while a process of the group exists.
  static func end(_ child: ChildProcess) {
    groups.withLock { groups in
      if groups.remove(child.processID) != nil { _ = Glibc.kill(-child.processID, SIGKILL) }
    }
  }

  /// Ends all programs and the processes of their groups, of which the kernel would end the programs only. No other
  /// program is started before `body` ends this one.
  static func endAll(then body: () -> Never) -> Never {
    groups.withLock { groups in
      for group in groups { _ = Glibc.kill(-group, SIGKILL) }
      body()
    }
  }

  /// Becomes the other program if this process was started for that; otherwise returns. Must be called before
  /// anything else changes the signals or the descriptors of this process.
  static func becomeIfRequested() {
    let words = Swift.CommandLine.unsafeArgv
    guard Swift.CommandLine.argc > 3, let first = words[1], String(cString: first) == word,
      let second = words[2], let parent = Int32(String(cString: second)), let path = words[3]
    else { return }
    _ = imgdl_end_with_parent()
    // No signal follows if the parent has ended before the request.
    guard getppid() == parent else { _exit(failureCode) }
    execv(path, words + 3)
    WorkerService.printError("\(SystemError.last("start", path: String(cString: path)))")
    _exit(failureCode)
  }
}
