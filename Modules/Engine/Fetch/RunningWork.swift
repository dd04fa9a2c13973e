import Synchronization
import Transport

/// The work of one download that `cancel` must reach: the exchange or task that was begun last, and the receiver
/// of segments. The methods may be called on any thread.
struct RunningWork: ~Copyable, Sendable {
  struct State {
    var isCancelled = false
    /// The HTTP exchange or task that was begun last.
    var last: (any Cancellable)?
    var beginCount = 0
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
    let isCancelled = state.withLock { state in
      // The work may have ended, and other work begun, before it could be recorded here.
      if state.beginCount == number { state.last = work }
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  /// Adds the receiver of segments, and cancels it at once if the download was cancelled before.
  func attach(_ segments: SegmentedTransfer) {
    let isCancelled = state.withLock { state in
      state.segments = segments
      return state.isCancelled
    }
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
