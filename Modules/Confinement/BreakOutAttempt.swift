import CLinux
import Glibc
import Rendering
import SystemCalls

/// An operation that a sandbox layer must prevent.
struct BreakOutAttempt {
  let name: String
  /// The values of `errno` that show that the layer refused the operation.
  let expected: Set<Int32>
  /// Attempts the operation. Returns 0 if it succeeded, otherwise errno.
  let run: () -> Int32

  /// The resources that attempts need, created before the first layer is applied, which would deny them.
  struct Preparation {
    let socket = OwnedDescriptor(
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    let memory = OwnedDescriptor(imgdl_memory_file("imgdl-break-out"))
    let landlockVersion = Landlock.version
  }

  static func all(
    _ layer: SandboxLayer, _ profile: SandboxProfile, _ preparation: Preparation
  ) -> [BreakOutAttempt] {
    switch layer {
    case .privileges: privileges
    case .limits: limits(preparation, profile)
    case .landlock: landlock(preparation)
    case .seccomp: seccomp(profile, preparation)
    }
  }

  private init(_ name: String, _ expected: Int32..., run: @escaping () -> Int32) {
    self.name = name
    self.expected = Set(expected)
    self.run = run
  }

  /// Returns errno if a call failed, otherwise 0.
  private static func error(_ result: some SignedInteger) -> Int32 { result < 0 ? errno : 0 }

  private static var privileges: [BreakOutAttempt] {
    [
      BreakOutAttempt("gain privileges by executing a program", EPERM) {
        imgdl_has_no_new_privileges() == 1 ? EPERM : 0
      },
      BreakOutAttempt("be traced", EPERM) { imgdl_is_dumpable() == 0 ? EPERM : 0 },
    ]
  }

  private static func limits(_ preparation: Preparation, _ profile: SandboxProfile)
    -> [BreakOutAttempt]
  {
    let descriptors = ProcessLimits.descriptors(profile)
    return [
      BreakOutAttempt("allocate 4 GiB", ENOMEM) {
        let memory = mmap(nil, 4 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? errno : 0
      },
      BreakOutAttempt("take \(profile.memoryBytes >> 20) MiB of memory", ENOMEM) {
        let size = Int(profile.memoryBytes)
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? errno : 0
      },
      BreakOutAttempt("open more than \(descriptors) files", EMFILE) {
        let copies = (0...descriptors).map { _ in dup(0) }
        let result = errno
        for copy in copies where copy >= 0 { close(copy) }
        return copies.contains(-1) ? result : 0
      },
      BreakOutAttempt("write to a file", EFBIG) {
        error(Glibc.write(preparation.memory.raw, "x", 1))
      },
      BreakOutAttempt("leave a core file", EFBIG) {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0
          && limit.rlim_max == 0 ? EFBIG : 0
      },
    ]
  }

  private static func landlock(_ preparation: Preparation) -> [BreakOutAttempt] {
    var attempts = [
      BreakOutAttempt("open /etc/passwd", EACCES) {
        error(open("/etc/passwd", O_RDONLY | O_CLOEXEC))
      },
      BreakOutAttempt("make a file", EACCES) {
        error(open("/tmp/imgdl-break-out", O_WRONLY | O_CREAT, 0o600))
      },
      BreakOutAttempt("list a folder", EACCES) { error(open("/", O_RDONLY | O_DIRECTORY)) },
    ]
    if Landlock.version >= 4 {
      attempts.append(BreakOutAttempt("connect over TCP", EACCES) { connect(preparation) })
    }
    if Landlock.version >= 6 {
      attempts.append(
        BreakOutAttempt("signal the program that started it", EPERM) { error(kill(getppid(), 0)) })
    }
    return attempts
  }

  private static func seccomp(_ profile: SandboxProfile, _ preparation: Preparation)
    -> [BreakOutAttempt]
  {
    let isRefused: Int32 = profile.readsFonts ? EACCES : EPERM
    // Attempts to read the status of a file are omitted for a worker that reads fonts on a kernel without
    // Landlock, because only Landlock distinguishes a font from another file.
    let looks =
      profile.readsFonts && preparation.landlockVersion == 0
      ? []
      : [
        BreakOutAttempt("query a file by its path", isRefused) {
          var status = stat()
          return error(stat("/etc/passwd", &status))
        },
        BreakOutAttempt("test whether a file exists", isRefused) {
          error(access("/etc/passwd", F_OK))
        },
        BreakOutAttempt("read a symbolic link", EPERM, EINVAL) {
          var target = [CChar](repeating: 0, count: 16)
          return error(readlink("/proc/self/exe", &target, target.count))
        },
      ]
    let opening =
      profile.readsFonts
      // A worker that reads fonts may open files for reading where Landlock permits it.
      ? BreakOutAttempt("open a file for writing", EPERM) {
        error(open("/tmp/x", O_WRONLY | O_CREAT, 0o600))
      }
      : BreakOutAttempt("open /etc/passwd", EPERM) {
        error(open("/etc/passwd", O_RDONLY | O_CLOEXEC))
      }
    return looks + [
      opening,
      BreakOutAttempt("make a socket", EPERM) {
        error(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
      },
      BreakOutAttempt("connect a socket", EPERM) { connect(preparation) },
      BreakOutAttempt("start a process", EPERM) {
        let child = fork()
        if child == 0 { _exit(0) }
        return error(child)
      },
      BreakOutAttempt("signal the program that started it", EPERM) { error(kill(getppid(), 0)) },
      BreakOutAttempt("raise a limit", EPERM) { error(imgdl_limit_descriptors(4)) },
      BreakOutAttempt("make memory that can be executed", EPERM) {
        let memory = mmap(
          nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? errno : 0
      },
      BreakOutAttempt("execute a program", EPERM) {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        return error(execv("/bin/true", &arguments))
      },
    ]
  }

  private static func connect(_ preparation: Preparation) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        error(Glibc.connect(preparation.socket.raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size)))
      }
    }
  }
}
