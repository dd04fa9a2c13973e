import CLinux
import Glibc
import SystemCalls

/// The end of a process that is not ours.
struct ProcessEnding {
  private let process: Int32
  /// Means this process and no later one of the same number; readable when it has ended.
  private let descriptor: OwnedDescriptor

  /// nil if there is no such process.
  init?(_ process: Int32) {
    let raw = imgdl_pidfd_open(process)
    guard raw >= 0 else { return nil }
    self.process = process
    descriptor = OwnedDescriptor(raw)
  }

  func terminate() { _ = imgdl_pidfd_signal(descriptor.raw, SIGTERM) }

  /// - Returns: whether it ended in time.
  func waits(seconds: Double) async -> Bool {
    let deadline = Machine.monotonicNanoseconds &+ UInt64(seconds * 1e9)
    while true {
      var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 0) > 0 { return true }
      guard Machine.monotonicNanoseconds < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
