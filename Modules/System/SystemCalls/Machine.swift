import CLinux
import Glibc

/// Facts about this process and the machine.
public enum Machine {
  /// The time of `CLOCK_MONOTONIC` in nanoseconds. The clock never goes back; it stops while the machine
  /// sleeps.
  public static var monotonicNanoseconds: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
  }

  /// The wall clock in seconds since 1970, for comparison with times from servers, never for waits.
  public static var unixSeconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec)
  }

  /// An identifier that changes at every boot; nil without `/proc`.
  public static var bootID: String? {
    line(of: "/proc/sys/kernel/random/boot_id")
  }

  /// The path of the running program; nil where `/proc` is missing.
  public static var executablePath: String? {
    try? FileSystem.linkTarget("/proc/self/exe")
  }

  public static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The home folder of the user: `HOME`, or else that of the password database, since services and `env -i` have no
  /// such variable. nil for a user without an entry.
  public static var homeFolder: String? {
    if let home = environment("HOME"), home.hasPrefix("/") { return home }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
      guard let start = buffer.baseAddress,
        getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0, found != nil,
        let folder = entry.pw_dir, folder[0] == CChar(UInt8(ascii: "/"))
      else { return nil }
      return String(cString: folder)
    }
  }

  /// The whole environment as `NAME=value`.
  public static var environment: [String] {
    var result: [String] = []
    guard var next = imgdl_environ() else { return result }
    while let entry = next.pointee {
      result.append(String(cString: entry))
      next = next.advanced(by: 1)
    }
    return result
  }

  /// Identifies the processes among which an id of a process names one: those of one container or machine since its
  /// boot. nil without `/proc`.
  public static let processSpace: String? = {
    guard let boot = bootID, let names = try? FileSystem.linkTarget("/proc/self/ns/pid") else {
      return nil
    }
    return "\(boot) \(names)"
  }()

  /// Runs another program in this process, which keeps its id. Signals have their usual effect there, and none is
  /// blocked. No other thread may be using the descriptors whose numbers are given.
  /// - Parameters:
  ///   - arguments: The arguments, beginning with the program's name.
  ///   - descriptors: What the program inherits besides its standard streams, and under which numbers.
  /// - Returns: The reason why the program cannot be started; does not return otherwise.
  public static func execute(
    _ path: String, arguments: [String], environment: [String],
    inheriting descriptors: [(descriptor: OwnedDescriptor, number: Int32)]
  ) -> SystemError {
    // Copies above all numbers, so that none is overwritten before it is copied.
    let above = (descriptors.map(\.number).max() ?? 0) + 1
    let copies = descriptors.map { fcntl($0.descriptor.raw, F_DUPFD_CLOEXEC, above) }
    for (copy, number) in zip(copies, descriptors.map(\.number)) {
      guard copy >= 0, dup2(copy, number) >= 0 else { return .last("start", path: path) }
    }
    for number in 1...Int32(64) { signal(number, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let words = arguments.map { strdup($0) }
    let assignments = environment.map { strdup($0) }
    defer { for text in words + assignments { free(text) } }
    execve(path, words + [nil], assignments + [nil])
    return .last("start", path: path)
  }

  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size of the terminal in character cells, or nil if the descriptor is not a terminal.
  public static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  public static var processID: Int32 { getpid() }

  /// The umask of this process at the first access, or 022 without `/proc`. umask(2) could return the mask
  /// only by changing it, which would affect other threads.
  public static let fileCreationMask: UInt32 = {
    let bytes = (try? FileSystem.contents(of: "/proc/self/status", limit: 65_536)) ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("Umask:") }
    return line.flatMap { UInt32($0.dropFirst(6).drop { $0 == "\t" || $0 == " " }, radix: 8) }
      ?? 0o022
  }()

  /// Returns freed memory to the system from the whole heap (malloc_trim(3)), which takes some milliseconds.
  public static func releaseFreeMemory() { _ = imgdl_malloc_trim(0) }

  public static var userID: UInt32 { getuid() }

  /// Whether a process exists, also one of another user.
  public static func exists(processID: Int32) -> Bool {
    processID > 0 && (kill(processID, 0) == 0 || errno == EPERM)
  }

  /// Returns the name of the program that a process runs; nil without `/proc`, or for a process of another user.
  public static func programName(ofProcess processID: Int32) -> String? {
    guard let path = try? FileSystem.linkTarget("/proc/\(processID)/exe") else { return nil }
    let name = path.split(separator: "/").last ?? ""
    // The kernel marks a program whose file was replaced by an update.
    let mark = " (deleted)"
    return String(name.hasSuffix(mark) ? name.dropLast(mark.count) : name)
  }

  /// Whether a process is stopped by a signal or a debugger; false without `/proc`.
  public static func isStopped(processID: Int32) -> Bool {
    // The state is the first field after the name, which is in brackets and may contain any character.
    guard let line = line(of: "/proc/\(processID)/stat"), let name = line.lastIndex(of: ")") else {
      return false
    }
    return ["T", "t"].contains(line[name...].dropFirst().first { $0 != " " })
  }

  /// The number of online processors, at least 1.
  public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Makes orphaned descendants children of this process, so that it can wait for them
  /// (`PR_SET_CHILD_SUBREAPER`).
  public static func adoptOrphans() { imgdl_adopt_orphans() }

  /// The kernel's release, as `uname -r` prints it; nil where `/proc` is missing.
  public static var kernelRelease: String? { line(of: "/proc/sys/kernel/osrelease") }

  private static func line(of path: String) -> String? {
    guard let bytes = try? FileSystem.contents(of: path, limit: 4_096) else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
  }
}
