import CLinux
import Glibc
import SystemCalls

/// epoll, level-triggered, with a bell for other threads. The kernel makes every call safe from any
/// thread; only one may wait.
struct Poller: Sendable {
  struct Readiness: OptionSet, Sendable {
    let rawValue: UInt32

    static let input = Readiness(rawValue: UInt32(EPOLLIN.rawValue))
    static let output = Readiness(rawValue: UInt32(EPOLLOUT.rawValue))
    /// Told without being asked for, as is `failed`: the peer is gone, in both directions.
    static let hungUp = Readiness(rawValue: UInt32(EPOLLHUP.rawValue))
    static let failed = Readiness(rawValue: UInt32(EPOLLERR.rawValue))
  }

  struct Event: Sendable {
    let token: UInt64
    let readiness: Readiness
  }

  /// The first token that is free for descriptors.
  static let firstToken: UInt64 = 1
  private static let bellToken: UInt64 = 0
  /// Ready at one time at most; more are told by the next call.
  private static let batch = 128

  private let epoll: OwnedDescriptor
  private let bell: OwnedDescriptor

  init() throws(SystemError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw .last("create an epoll instance") }
    epoll = OwnedDescriptor(raw)
    let event = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard event >= 0 else { throw .last("create an event descriptor") }
    bell = OwnedDescriptor(event)
    try add(bell, .input, token: Self.bellToken)
  }

  /// - Parameter token: unique as long as the poller lives, so that news of a descriptor that was
  ///   closed meanwhile reaches nobody.
  func add(
    _ descriptor: OwnedDescriptor, _ interest: Readiness, token: UInt64
  ) throws(SystemError) {
    guard control(EPOLL_CTL_ADD, descriptor, interest, token) else {
      throw .last("watch a descriptor")
    }
  }

  func change(_ descriptor: OwnedDescriptor, _ interest: Readiness, token: UInt64) {
    _ = control(EPOLL_CTL_MOD, descriptor, interest, token)
  }

  func remove(_ descriptor: OwnedDescriptor) { _ = control(EPOLL_CTL_DEL, descriptor, [], 0) }

  /// Returns when something is ready or the bell was rung; what the bell says is for the caller to
  /// know.
  func wait() -> [Event] { poll(milliseconds: -1) }

  /// What is ready now.
  func ready() -> [Event] { poll(milliseconds: 0) }

  private func poll(milliseconds: Int32) -> [Event] {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.batch) { buffer in
      guard let events = buffer.baseAddress else { return [] }
      // A signal that gets through, as of a debugger, is like the bell.
      let count = max(0, epoll_wait(epoll.raw, events, Int32(Self.batch), milliseconds))
      return (0..<count).compactMap { index in
        let token = imgdl_epoll_token(events, index)
        if token == Self.bellToken {
          var value: UInt64 = 0
          _ = read(bell.raw, &value, 8)
          return nil
        }
        return Event(
          token: token, readiness: Readiness(rawValue: imgdl_epoll_events(events, index)))
      }
    }
  }

  func ring() {
    var one: UInt64 = 1
    _ = write(bell.raw, &one, 8)
  }

  /// Nobody may wait any more; everything else does nothing from now on.
  func close() {
    epoll.close()
    bell.close()
  }

  private func control(
    _ operation: Int32, _ descriptor: OwnedDescriptor, _ interest: Readiness, _ token: UInt64
  ) -> Bool {
    imgdl_epoll_ctl(epoll.raw, operation, descriptor.raw, interest.rawValue, token) == 0
  }
}
