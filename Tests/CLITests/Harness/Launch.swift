import CLinux
import Glibc
import SystemCalls

/// The descriptors of a program that is about to start, and the start.
struct Launch {
  /// What the program writes: output and errors, or the terminal.
  private(set) var streams: [OwnedDescriptor] = []
  private(set) var input: OwnedDescriptor?
  private let command: RunningProgram.Command
  /// Its descriptors 0, 1 and 2.
  private var ends: [OwnedDescriptor] = []
  private var terminalPath: String?

  init(_ command: RunningProgram.Command) throws {
    self.command = command
    if let size = command.terminal {
      try openTerminal(columns: size.columns, rows: size.rows)
    } else {
      try openPipes()
    }
  }

  private mutating func openPipes() throws {
    let output = try Channels.pipe()
    let errors = try Channels.pipe()
    streams = [output.reading, errors.reading]
    if command.input != nil || command.keepsInputOpen {
      let pipe = try Channels.pipe()
      input = pipe.writing
      ends = [pipe.reading, output.writing, errors.writing]
    } else {
      ends = [try FileSystem.open("/dev/null"), output.writing, errors.writing]
    }
  }

  private mutating func openTerminal(columns: Int, rows: Int) throws {
    let master = try FileSystem.open("/dev/ptmx", .readingAndWriting)
    // unlockpt and ptsname, which Glibc hides: TIOCSPTLCK and TIOCGPTN.
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(master.raw, 0x4004_5431, &lock) == 0, ioctl(master.raw, 0x8004_5430, &number) == 0
    else { throw SystemError.last("open a terminal") }
    // Reading waits, unlike what our `open` asks for.
    _ = fcntl(master.raw, F_SETFL, O_RDWR)
    terminalPath = "/dev/pts/\(number)"
    _ = imgdl_set_terminal_size(master.raw, Int32(columns), Int32(rows))
    streams = [master]
    input = master
  }

  /// Starts the program and closes what belongs to it here.
  mutating func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let terminalPath {
      // The first terminal that the leader of a session opens becomes its own.
      posix_spawn_file_actions_addopen(&actions, 0, terminalPath, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      for (number, end) in ends.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, end.raw, Int32(number))
      }
    }
    imgdl_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(&attributes)
    let arguments = launcher + [command.path] + command.arguments
    var process: pid_t = 0
    let code = Self.withCStrings(arguments) { words in
      Self.withCStrings(command.environment.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawn(&process, arguments[0], &actions, &attributes, words, environment)
      }
    }
    ends = []
    guard code == 0 else { throw SystemError(errno: code, call: "start", path: command.path) }
    return process
  }

  /// A working folder and ignored signals are a shell's business: posix_spawn knows neither.
  private var launcher: [String] {
    var script = ""
    if let folder = command.folder { script += "cd '\(folder)' && " }
    for number in command.ignoring { script += "trap '' \(number) && " }
    return script.isEmpty ? [] : ["/bin/sh", "-c", script + "exec \"$0\" \"$@\""]
  }

  private func setSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID, which Glibc hides: a session of its own.
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
