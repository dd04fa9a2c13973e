import CLinux
import Glibc
public import SystemCalls

/// A program with its arguments, environment and streams.
///
/// Independently of the state of this process, only the descriptors in `streams` are open in the new one, and
/// no signal is blocked or ignored. The new process has its own process group, so that Ctrl-C at the terminal
/// is sent to this process only.
public struct ProcessLaunch: Sendable {
  public enum Stream: Sendable {
    /// `/dev/null`, for reading and writing.
    case none
    /// A descriptor of this process, by number.
    case inherited(Int32)
    case existing(OwnedDescriptor)
  }

  public var path: String
  /// The arguments without the program's name.
  public var arguments: [String]
  /// The whole environment, as `NAME=value`.
  public var environment: [String]
  /// The descriptors 0, 1, 2 and so on of the new process.
  public var streams: [Stream]
  /// Whether the process leads a new session, by which its descendants can be identified even after they have
  /// been adopted.
  public var leadsSession = false

  public init(
    path: String, arguments: [String], environment: [String] = Machine.environment,
    streams: [Stream] = [.none, .inherited(1), .inherited(2)]
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.streams = streams
  }

  func start() throws(WorkerError) -> pid_t {
    // The sources are duplicated above the target numbers, so that no dup2 overwrites the source of a later
    // one.
    var sources: [OwnedDescriptor?] = []
    for stream in streams { sources.append(try moved(stream)) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, source) in sources.enumerated() {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source.raw, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    imgdl_spawn_close_from(&actions, Int32(streams.count))

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    configure(&attributes)

    var process: pid_t = 0
    let code = withCStrings([path] + arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&process, path, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw cannotStart(SystemError(errno: code, call: "start", path: path)) }
    return process
  }

  private func moved(_ stream: Stream) throws(WorkerError) -> OwnedDescriptor? {
    let number: Int32
    switch stream {
    case .none: return nil
    case .inherited(let ours): number = ours
    case .existing(let descriptor): number = descriptor.raw
    }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, Int32(streams.count))
    guard copy >= 0 else { throw cannotStart(SystemError.last("start", path: path)) }
    return OwnedDescriptor(copy)
  }

  private func cannotStart(_ error: SystemError) -> WorkerError {
    WorkerError(.cannotStart, error.description, systemError: error)
  }

  private func configure(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    // 0x80 is POSIX_SPAWN_SETSID, which Glibc hides. The leader of a session has a process group of its own.
    let group = leadsSession ? 0x80 : POSIX_SPAWN_SETPGROUP
    var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group)
    if Scheduling.spawnsOrdinary { imgdl_spawn_as_ordinary(&attributes, &flags) }
    posix_spawnattr_setflags(&attributes, flags)
  }
}

/// Calls `body` with a null-terminated array of C strings, which is valid only during the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
