import CLinux
import Glibc

/// A file descriptor that is closed when its last reference is released, so that its number is
/// never used for another file while a thread still works with it.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Repeats a call as long as signals interrupt it.
  static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// The text of `errno`.
  static var reason: String { String(cString: strerror(errno)) }
}

/// Something that threads wait for beside their sockets: once raised, it stays.
final class Signal: Sendable {
  private let descriptor: Descriptor

  init() throws(OriginError) {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else { throw OriginError(.resources, "eventfd: \(Descriptor.reason)") }
    descriptor = Descriptor(number)
  }

  func raise() {
    var one: UInt64 = 1
    _ = write(descriptor.number, &one, 8)
  }

  var isRaised: Bool { wait(milliseconds: 0) }

  /// Blocks the calling thread; whether the signal was raised. A negative time is for ever.
  func wait(milliseconds: Int) -> Bool {
    let time = Int32(clamping: milliseconds)
    return Self.poll([(descriptor.number, POLLIN)], milliseconds: time)[0]
  }

  /// Blocks until one of the signals is raised or the other side of `socket` has gone.
  static func waitForAny(_ signals: [Signal], orEndOf socket: Descriptor? = nil) {
    var interests = signals.map { ($0.descriptor.number, POLLIN) }
    // Level-triggered: pending input does not count, only the end of the stream.
    if let socket { interests.append((socket.number, Int32(imgdl_pollrdhup()))) }
    _ = poll(interests, milliseconds: -1)
  }

  /// Blocks until the signal is raised or one of the descriptors is ready; which of those are.
  func poll(with interests: [(Int32, Int32)]) -> [Bool] {
    Self.poll(interests + [(descriptor.number, POLLIN)], milliseconds: -1).dropLast()
  }

  /// Which of the descriptors are ready.
  static func poll(_ interests: [(Int32, Int32)], milliseconds: Int32) -> [Bool] {
    var list = interests.map {
      pollfd(fd: $0.0, events: Int16(truncatingIfNeeded: $0.1), revents: 0)
    }
    let count = nfds_t(list.count)
    _ = Descriptor.retrying { Glibc.poll(&list, count, milliseconds) }
    return list.map { $0.revents != 0 }
  }
}
