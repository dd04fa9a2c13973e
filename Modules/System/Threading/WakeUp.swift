import CLinux
import Glibc
package import SystemCalls

/// An event descriptor (eventfd(2)) with which any thread wakes another one that waits in poll(2) or
/// epoll_wait(2). One `reset()` consumes all signals since the last one.
package struct WakeUp: Sendable {
  /// The descriptor, which is readable after a signal until it is reset.
  package let descriptor: OwnedDescriptor

  package init() throws(SystemError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard raw >= 0 else { throw .last("create an event descriptor") }
    descriptor = OwnedDescriptor(raw)
  }

  package func signal() {
    var one: UInt64 = 1
    _ = write(descriptor.raw, &one, 8)
  }

  package func reset() {
    var count: UInt64 = 0
    _ = read(descriptor.raw, &count, 8)
  }
}
