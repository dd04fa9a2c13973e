import CLinux
import Glibc
import ProgramSupport

/// Ends the program with a message at the first SIGINT, SIGTERM or SIGHUP, as long as no ``Interrupts`` handles the
/// signals: before a command begins, nothing needs to be stopped.
///
/// The handler works without a thread, because threads inherit the scheduling policy, which is set after the settings
/// have been read. A signal that is ignored when the program starts remains ignored.
enum EarlySignals {
  static let numbers = [SIGINT, SIGTERM, SIGHUP]

  static func handle() {
    for number in numbers where !isIgnored(number) {
      signal(number) { _ in EarlySignals.end() }
    }
  }

  /// Restores the default action for a program whose parent process tells an end by a signal from a failure.
  static func restoreDefault() {
    for number in numbers where !isIgnored(number) { signal(number, SIG_DFL) }
  }

  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is a function pointer with the address 1.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Ends the program. A handler of signals may allocate no memory, so that the message is not a `String`.
  private static func end() -> Never {
    let message: StaticString = "imgdl-cli: interrupted\n"
    // A stopped terminal would make the program wait.
    var entry = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    if poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLOUT) != 0 {
      _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
    }
    _exit(ExitCode.interrupted.rawValue)
  }
}
