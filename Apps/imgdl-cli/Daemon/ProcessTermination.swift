import CLinux
import Glibc
import SystemCalls

/// Terminates a process that is not a child of this one, and waits for its end.
struct ProcessTermination {
  private let process: Int32
  /// The pidfd of the process, which never refers to a later process with the same number and becomes
  /// readable when the process ends.
  private let descriptor: OwnedDescriptor

  /// Opens the process; nil if there is no process with this number.
  init?(_ process: Int32) {
    let raw = imgdl_pidfd_open(process)
    guard raw >= 0 else { return nil }
    self.process = process
    descriptor = OwnedDescriptor(raw)
  }

  func terminate() { signal(SIGTERM) }

  func signal(_ number: Int32) { _ = imgdl_pidfd_signal(descriptor.raw, number) }

  /// - Returns: Whether the process ended in time.
  func waitUntilEnded(seconds: Double) async -> Bool {
    let deadline = Machine.monotonicNanoseconds &+ UInt64(seconds * 1e9)
    while true {
      var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 0) > 0 { return true }
      guard Machine.monotonicNanoseconds < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
