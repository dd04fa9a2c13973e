import CLinux
import Glibc
package import SystemCalls

/// A level-triggered epoll instance (epoll(7)) that other threads can wake.
///
/// The kernel makes every call safe from any thread, but only one thread may wait, and it owns the
/// `Events` that it waits with. After `close()` every call is harmless and does nothing.
package struct Poller: Sendable {
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let input = Readiness(rawValue: UInt32(EPOLLIN.rawValue))
    package static let output = Readiness(rawValue: UInt32(EPOLLOUT.rawValue))
    /// The peer has closed its sending direction.
    package static let peerClosed = Readiness(rawValue: UInt32(EPOLLRDHUP.rawValue))
    /// Both directions are closed. The kernel reports `hungUp` and `failed` even if they are not in the
    /// interest.
    package static let hungUp = Readiness(rawValue: UInt32(EPOLLHUP.rawValue))
    package static let failed = Readiness(rawValue: UInt32(EPOLLERR.rawValue))

    /// Whether nothing more can be received or sent.
    package var hasEnded: Bool {
      rawValue & (Self.hungUp.rawValue | Self.failed.rawValue) != 0
    }
  }

  package struct Event: Sendable {
    package let token: UInt64
    package let readiness: Readiness
  }

  /// The results of one wait. Confined to the thread that waits.
  package final class Events {
    /// The maximum number of events that one wait returns; the next wait returns the others.
    package static let capacity = 128

    package fileprivate(set) var count = 0
    fileprivate let storage = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)

    package init() {}

    deinit { storage.deallocate() }

    /// Whether the storage was filled, so that more descriptors may be ready.
    package var isFull: Bool { count == Self.capacity }
  }

  /// The token of the wake-up; descriptors have tokens from `firstToken` on.
  private static let wakeUpToken: UInt64 = 0
  package static let firstToken: UInt64 = 1

  private let epoll: OwnedDescriptor
  package let wakeUp: WakeUp

  package init() throws(SystemError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw .last("create an epoll instance") }
    epoll = OwnedDescriptor(raw)
    wakeUp = try WakeUp()
    try add(wakeUp.descriptor.raw, .input, token: Self.wakeUpToken)
  }

  /// - Parameter token: The identifier of the descriptor in events. A token should not be used again for
  ///   another descriptor of the poller, so that a late event of a closed descriptor is not attributed to a
  ///   later one.
  package func add(
    _ descriptor: Int32, _ interest: Readiness, token: UInt64
  ) throws(SystemError) {
    guard control(EPOLL_CTL_ADD, descriptor, interest, token) else {
      throw .last("watch a descriptor")
    }
  }

  package func change(_ descriptor: Int32, _ interest: Readiness, token: UInt64) {
    _ = control(EPOLL_CTL_MOD, descriptor, interest, token)
  }

  package func remove(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, [], 0) }

  /// Waits until a descriptor is ready, the time is over, or another thread signals the wake-up.
  /// - Parameter milliseconds: 0 returns at once, -1 waits without a limit.
  package func wait(for events: Events, milliseconds: Int32 = -1) {
    // An interruption by a signal that is not blocked, such as a debugger's, counts as a timeout.
    let count = epoll_wait(
      epoll.raw, events.storage, Int32(Events.capacity), milliseconds)
    events.count = max(0, Int(count))
  }

  /// - Parameter index: The index of the event, below `events.count`.
  /// - Returns: nil for the wake-up, which is thereby consumed.
  package func event(_ index: Int, of events: Events) -> Event? {
    let token = imgdl_epoll_token(events.storage, Int32(index))
    guard token != Self.wakeUpToken else {
      wakeUp.reset()
      return nil
    }
    let readiness = imgdl_epoll_events(events.storage, Int32(index))
    return Event(token: token, readiness: Readiness(rawValue: readiness))
  }

  package func close() {
    epoll.close()
    wakeUp.descriptor.close()
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ token: UInt64
  ) -> Bool {
    imgdl_epoll_ctl(epoll.raw, operation, descriptor, interest.rawValue, token) == 0
  }
}
