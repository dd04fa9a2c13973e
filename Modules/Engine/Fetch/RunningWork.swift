import Synchronization
import Transport

/// The work of one download that `cancel` must reach: the exchange or task that was begun last, and the receiver
/// of segments. The methods may be called on any thread.
struct RunningWork: ~Copyable, Sendable {
  struct State {
    var isCancelled = false
    /// The HTTP exchange or task that was begun last.
    var last: (any Cancellable)?
    /// The number of beginnings so far, and at which of them `last` began.
    var beginCount = 0
    var lastNumber = 0
    /// The receiver of a large file over several connections, during an exchange.
    var segments: SegmentedTransfer?
  }

  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The receiver of segments; nil if the current exchange uses one connection.
  var segments: SegmentedTransfer? { state.withLock { $0.segments } }

  /// Begins work, and cancels it at once if the download was cancelled before.
  func start(_ begin: () -> any Cancellable) {
    let number = state.withLock { state in
      state.beginCount += 1
      return state.beginCount
    }
    let work = begin()
    let (isCancelled, segments) = state.withLock { state -> (Bool, SegmentedTransfer?) in
      // The work may have ended, and other work begun, before it could be recorded here.
      guard state.beginCount == number else { return (state.isCancelled, nil) }
      (state.last, state.lastNumber) = (work, number)
      return (state.isCancelled, state.segments)
    }
    segments?.attachStream(work)
    if isCancelled { work.cancel() }
  }

  /// Adds the receiver of segments to the exchange that was begun last, and cancels it at once if the download was
  /// cancelled before. The exchange is known after this call if its first bytes arrive before `start` has recorded it.
  func attach(_ segments: SegmentedTransfer) {
    let (isCancelled, stream) = state.withLock { state -> (Bool, (any Cancellable)?) in
      state.segments = segments
      return (state.isCancelled, state.lastNumber == state.beginCount ? state.last : nil)
    }
    if let stream { segments.attachStream(stream) }
    if isCancelled { segments.cancel() }
  }

  /// Forgets the receiver of segments after its end, so that connections granted from now on are refused.
  func detachSegments() { state.withLock { $0.segments = nil } }

  func cancel() {
    let (work, segments) = state.withLock { state in
      state.isCancelled = true
      return (state.last, state.segments)
    }
    segments?.cancel()
    work?.cancel()
  }
}
