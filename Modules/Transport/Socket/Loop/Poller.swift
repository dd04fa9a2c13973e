import CLinux
import Glibc
import SystemCalls

/// epoll, level-triggered, with a descriptor to wake it from other threads.
///
/// Confined to the loop's thread but for `wake(_:)`, which is one system call on a descriptor that
/// its holders keep open.
final class Poller {
  struct Readiness: OptionSet {
    let rawValue: UInt32

    static let input = Readiness(rawValue: UInt32(EPOLLIN.rawValue))
    static let output = Readiness(rawValue: UInt32(EPOLLOUT.rawValue))
    static let peerClosed = Readiness(rawValue: UInt32(EPOLLRDHUP.rawValue))
    static let failed = Readiness(rawValue: UInt32(EPOLLERR.rawValue))
    static let hungUp = Readiness(rawValue: UInt32(EPOLLHUP.rawValue))
  }

  /// Ready at one time at most; more are told by the next call.
  static let batch = 128
  private static let wakeToken: UInt64 = 0

  private let epoll: OwnedDescriptor
  private let bell: OwnedDescriptor
  private let events: UnsafeMutablePointer<epoll_event>

  init() throws(SystemError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw .last("create an epoll instance") }
    epoll = OwnedDescriptor(raw)
    let event = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard event >= 0 else { throw .last("create an event descriptor") }
    bell = OwnedDescriptor(event)
    events = .allocate(capacity: Self.batch)
    guard control(EPOLL_CTL_ADD, bell.raw, .input, Self.wakeToken) else {
      events.deallocate()
      throw .last("watch an event descriptor")
    }
  }

  deinit { events.deallocate() }

  /// The descriptor to write to for waking; valid as long as the poller.
  var wakeDescriptor: OwnedDescriptor { bell }

  func add(_ descriptor: Int32, _ interest: Readiness, token: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, descriptor, interest, token)
  }

  func change(_ descriptor: Int32, _ interest: Readiness, token: UInt64) {
    _ = control(EPOLL_CTL_MOD, descriptor, interest, token)
  }

  func remove(_ descriptor: Int32) {
    _ = control(EPOLL_CTL_DEL, descriptor, [], 0)
  }

  /// Waits until something is ready; `event(_:)` tells what.
  /// - Parameter milliseconds: -1 means for ever.
  func wait(milliseconds: Int32) -> Int {
    // A signal that gets through, as of a debugger, is like a time-out.
    max(0, Int(epoll_wait(epoll.raw, events, Int32(Self.batch), milliseconds)))
  }

  /// The token and the readiness at a position below the last count; nil for the bell.
  func event(_ index: Int) -> (token: UInt64, Readiness)? {
    let token = imgdl_epoll_token(events, Int32(index))
    guard token != Self.wakeToken else {
      var value: UInt64 = 0
      _ = read(bell.raw, &value, 8)
      return nil
    }
    return (token, Readiness(rawValue: imgdl_epoll_events(events, Int32(index))))
  }

  static func wake(_ descriptor: OwnedDescriptor) {
    var one: UInt64 = 1
    _ = write(descriptor.raw, &one, 8)
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ token: UInt64
  ) -> Bool {
    imgdl_epoll_ctl(epoll.raw, operation, descriptor, interest.rawValue, token) == 0
  }
}
