import CLinux
import Glibc
import SystemCalls

extension WorkerProgram {
  /// Starts the program. It has `/dev/null` as input, `socket` as descriptor 3, `errors` (or our
  /// standard error) as descriptors 1 and 2, nothing else open, no signal blocked or ignored, and a
  /// process group of its own, so that Ctrl-C at the terminal reaches us alone.
  func spawn(socket: OwnedDescriptor, errors: OwnedDescriptor?) throws(WorkerError) -> pid_t {
    // The sources are moved up, so that no dup2 overwrites the source of a later one.
    let socketSource = try moved(socket)
    let errorSource = try errors.map { (pipe) throws(WorkerError) in try moved(pipe) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errorSource?.raw ?? 2, 1)
    posix_spawn_file_actions_adddup2(&actions, errorSource?.raw ?? 2, 2)
    posix_spawn_file_actions_adddup2(&actions, socketSource.raw, Self.socketDescriptor)
    imgdl_spawn_close_from(&actions, Self.socketDescriptor + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    configureSignals(&attributes)

    var process: pid_t = 0
    let code = withCStrings([path] + arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&process, path, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else {
      let error = SystemError(errno: code, call: "start", path: path)
      throw WorkerError(.cannotStart, error.description, systemError: error)
    }
    return process
  }

  private func moved(_ descriptor: OwnedDescriptor) throws(WorkerError) -> OwnedDescriptor {
    let copy = fcntl(descriptor.raw, F_DUPFD_CLOEXEC, Self.socketDescriptor + 1)
    guard copy >= 0 else {
      let error = SystemError.last("start", path: path)
      throw WorkerError(.cannotStart, error.description, systemError: error)
    }
    return OwnedDescriptor(copy)
  }

  private func configureSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

/// A null-terminated array of C strings, valid during the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
