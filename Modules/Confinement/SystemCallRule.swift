import CLinux
import CSeccomp
import Glibc
import Rendering
import WorkerProcess

/// The treatment of a system call: allowed under conditions on its arguments, refused with an error, or
/// trapped.
struct SystemCallRule {
  enum Comparison {
    case equals(UInt64)
    case atMost(UInt64)
    /// The masked bits of the argument must have that value.
    case bits(UInt64, are: UInt64)
  }

  struct Condition {
    /// The index of the argument, from 0.
    let argument: UInt32
    let comparison: Comparison
  }

  /// The kernel's name of the call.
  let name: String
  var conditions: [Condition] = []
  /// The error with which the call is refused; nil if it is allowed or trapped.
  var refusal: Int32?
  /// Whether the call raises SIGSYS, whose handler answers it in place of the kernel.
  var isTrapped = false

  private init(_ name: String, _ argument: UInt32? = nil, _ comparison: Comparison? = nil) {
    self.name = name
    if let argument, let comparison {
      conditions = [Condition(argument: argument, comparison: comparison)]
    }
  }

  static func all(_ profile: SandboxProfile) -> [SystemCallRule] {
    let common = simple.map { SystemCallRule($0) } + memory + threads + messages
    return common + [pathQuery("newfstatat")] + (profile.readsFonts ? reading : [])
  }

  /// Calls whose arguments have no effect outside the process.
  private static let simple = [
    "brk", "clock_getres", "clock_gettime", "clock_nanosleep", "close", "exit", "exit_group",
    "fadvise64", "fstat", "futex", "getpid", "getrandom", "getrusage", "gettid", "gettimeofday",
    "lseek", "madvise", "membarrier", "mremap", "munmap", "nanosleep", "poll",
    "ppoll", "pread64", "read", "readv", "restart_syscall", "rseq", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "sched_getaffinity", "sched_yield", "set_robust_list",
    "sigaltstack", "sysinfo", "time", "times", "uname",
  ]

  /// Returns the rule for a call that queries a file by path without opening it. A signal handler emulates
  /// the call according to the files that the process may open; on processors without such a handler the call
  /// is allowed.
  private static func pathQuery(_ name: String) -> SystemCallRule {
    var rule = SystemCallRule(name)
    rule.isTrapped = imgdl_supports_traps() == 1
    return rule
  }

  /// Memory may be mapped and its protection changed, but not to executable.
  private static let memory = ["mmap", "mprotect"].map {
    SystemCallRule($0, 2, .bits(UInt64(PROT_EXEC), are: 0))
  }

  private static let threads: [SystemCallRule] = {
    var clone3 = SystemCallRule("clone3")
    clone3.refusal = ENOSYS
    return [
      clone3,
      // `CLONE_THREAD` is required, so that only threads can be created.
      SystemCallRule("clone", 0, .bits(0x1_0000, are: 0x1_0000)),
      // abort() sends a signal to its own process.
      SystemCallRule("tgkill", 0, .equals(UInt64(getpid()))),
      SystemCallRule("prctl", 0, .equals(UInt64(PR_SET_NAME))),
      // A null pointer to the new limits restricts the call to reading limits.
      SystemCallRule("prlimit64", 2, .equals(0)),
    ]
  }()

  private static let messages: [SystemCallRule] = {
    let socket = UInt64(WorkerProgram.socketDescriptor)
    return [
      SystemCallRule("recvmsg", 0, .equals(socket)),
      SystemCallRule("sendmsg", 0, .equals(socket)),
      SystemCallRule("shutdown", 0, .equals(socket)),
      // Writing is allowed to the standard streams only, for the message of a failure.
      SystemCallRule("write", 0, .atMost(2)),
      SystemCallRule("fcntl", 1, .equals(UInt64(F_GETFL))),
      SystemCallRule("fcntl", 1, .equals(UInt64(F_GETFD))),
      SystemCallRule("fcntl", 1, .equals(UInt64(F_SETFD))),
    ]
  }()

  /// The calls that open and examine files for reading. Landlock restricts them to `ReadableFolders`.
  private static let reading: [SystemCallRule] = {
    let writing = UInt64(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)
    return [
      SystemCallRule("open", 1, .bits(writing, are: 0)),
      SystemCallRule("openat", 2, .bits(writing, are: 0)),
    ]
      + ["fstatfs", "getdents64"].map { SystemCallRule($0) }
      + ["stat", "lstat", "access", "faccessat", "faccessat2"].map { pathQuery($0) }
      + ["readlink", "readlinkat"].map { name in
        var rule = SystemCallRule(name)
        // The kernel returns EINVAL for a file that is not a link; fontconfig then uses the path unchanged.
        rule.refusal = EINVAL
        return rule
      }
  }()
}
