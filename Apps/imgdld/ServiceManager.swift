import CLinux
import Glibc
import ProgramSupport
import SystemCalls

/// The protocol between systemd and a service, which consists of environment variables and datagrams
/// (sd_notify(3), sd_listen_fds(3), sd_watchdog_enabled(3)).
struct ServiceManager: Sendable {
  /// The number of the first descriptor that systemd passes.
  static let firstDescriptor: Int32 = 3

  /// The listening socket that systemd passed; nil if the daemon creates its own.
  let listener: Int32?
  /// The number of seconds within which the service must send the next keep-alive; nil without a watchdog.
  let watchdogSeconds: Double?
  private let notifySocket: String?
  /// Another descriptor of `listener`, which is open when the server has closed that one.
  let listenerCopy: OwnedDescriptor?
  /// The variables that systemd has set, as `NAME=value`, for the program that replaces this one in its process.
  let environment: [String]

  /// Reads systemd's environment variables, and removes them from the environment, because child processes
  /// must not inherit them. Must be called before any thread is started.
  init() throws(ProgramFailure) {
    let process = "\(Machine.processID)"
    var listener: Int32?
    if Machine.environment("LISTEN_PID") == process,
      let count = Machine.environment("LISTEN_FDS").flatMap({ Int($0) }), count > 0
    {
      guard count == 1 else {
        throw ProgramFailure(.usage, "\(count) sockets were passed by systemd; one is expected")
      }
      listener = Self.firstDescriptor
      _ = fcntl(Self.firstDescriptor, F_SETFD, FD_CLOEXEC)
    }
    self.listener = listener
    listenerCopy = listener.map { OwnedDescriptor(fcntl($0, F_DUPFD_CLOEXEC, 0)) }
    let isWatched = (Machine.environment("WATCHDOG_PID") ?? process) == process
    let interval = Machine.environment("WATCHDOG_USEC").flatMap { Double($0) } ?? 0
    watchdogSeconds = isWatched && interval > 0 ? interval / 1e6 : nil
    notifySocket = Machine.environment("NOTIFY_SOCKET")
    let names = [
      "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC",
      "NOTIFY_SOCKET",
    ]
    environment = names.compactMap { name in Machine.environment(name).map { "\(name)=\($0)" } }
    for name in names { unsetenv(name) }
  }

  /// Sends the state of the service to systemd; does nothing if systemd did not start the process.
  /// - Parameter state: The assignments of sd_notify(3), separated by line feeds.
  func notify(_ state: String) {
    guard let notifySocket, let first = notifySocket.first, first == "/" || first == "@" else {
      return
    }
    _ = state.withCString { imgdl_unix_send_datagram(notifySocket, $0, strlen($0)) }
  }

  func notifyReloading() {
    notify("RELOADING=1\nMONOTONIC_USEC=\(Machine.monotonicNanoseconds / 1_000)")
  }
}
