package import Synchronization

/// A first-in, first-out queue from any thread to the one thread that drains it. The sender wakes the
/// receiver only if it sleeps, so a burst of messages costs one system call.
///
/// The receiver drains until `drain(into:)` returns false, and only then waits for the wake-up, which a
/// message that arrives after that call signals.
///
/// The methods are inlinable, so that the compiler can specialize them for the element type in other modules.
package final class Mailbox<Element: Sendable>: Sendable {
  @usableFromInline package struct State: Sendable {
    @usableFromInline var elements: [Element] = []
    /// Whether the receiver may be waiting; true before the first drain, because a receiver may begin by
    /// waiting.
    @usableFromInline var isReceiverAsleep = true
    @usableFromInline var isClosed = false

    @usableFromInline init() {}
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let wakeUp: WakeUp

  /// - Parameter wakeUp: The event on which the receiver waits.
  @inlinable package init(wakeUp: WakeUp) {
    state = Mutex(State())
    self.wakeUp = wakeUp
  }

  /// Appends a message. May be called from any thread.
  /// - Returns: Whether the message was accepted; false after `close()`.
  @inlinable package func post(_ element: Element) -> Bool {
    let (mustWake, isAccepted) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.elements.append(element)
      defer { state.isReceiverAsleep = false }
      return (state.isReceiverAsleep, true)
    }
    if mustWake { wakeUp.signal() }
    return isAccepted
  }

  /// Exchanges the messages for an empty array, whose storage the mailbox uses from now on. Only the receiver
  /// may call this method.
  /// - Parameter elements: An empty array, which receives the messages since the last call.
  /// - Returns: false if there are no messages, in which case the receiver counts as asleep.
  @inlinable package func drain(into elements: inout [Element]) -> Bool {
    state.withLock { state in
      state.isReceiverAsleep = state.elements.isEmpty
      swap(&state.elements, &elements)
      return !state.isReceiverAsleep
    }
  }

  /// Marks the receiver as awake, after it was woken by something other than the wake-up. The receiver drains
  /// the mailbox before it waits again, so senders need not signal.
  @inlinable package func receiverIsAwake() {
    state.withLock { $0.isReceiverAsleep = false }
  }

  /// Rejects further messages.
  /// - Returns: The messages that were not drained.
  @inlinable package func close() -> [Element] {
    state.withLock { state in
      state.isClosed = true
      defer { state.elements = [] }
      return state.elements
    }
  }
}
