import Synchronization
package import Transport

/// Keeps what it is given; may refuse, fail or run a closure on the transport's thread.
package final class CollectingSink: BodySink {
  private struct State {
    var redirects: [ResponseHead] = []
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var pieces = 0
    var isClosed = false
    var lateCalls = 0
  }

  private let state = Mutex(State())
  private let decision: BodyDecision
  private let beginError: SinkError?
  /// Bytes after which `receive` fails.
  private let capacity: Int
  private let onReceive: (@Sendable () -> Void)?

  package init(
    decision: BodyDecision = .accept, beginError: SinkError? = nil, capacity: Int = .max,
    onReceive: (@Sendable () -> Void)? = nil
  ) {
    self.decision = decision
    self.beginError = beginError
    self.capacity = capacity
    self.onReceive = onReceive
  }

  package func redirected(by head: ResponseHead) {
    state.withLock { state in
      state.redirects.append(head)
      // A redirect behind the final head is as late as a call after the end.
      if state.isClosed || !state.heads.isEmpty { state.lateCalls += 1 }
    }
  }

  package func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    state.withLock { state in
      state.heads.append(head)
      if state.isClosed { state.lateCalls += 1 }
    }
    if let beginError { throw beginError }
    return decision
  }

  package func receive(_ bytes: RawSpan) throws(SinkError) {
    let copy = bytes.withUnsafeBytes { Array($0) }
    let isFull = state.withLock { state in
      if state.isClosed { state.lateCalls += 1 }
      guard state.body.count + copy.count <= capacity else { return true }
      state.body += copy
      state.pieces += 1
      return false
    }
    onReceive?()
    if isFull { throw SinkError(disk: "the sink is full", isFull: true) }
  }

  /// Every call after this one counts as late.
  package func close() { state.withLock { $0.isClosed = true } }

  package var lateCalls: Int { state.withLock { $0.lateCalls } }
  package var body: [UInt8] { state.withLock { $0.body } }
  /// The heads of the redirects that were reported.
  package var redirects: [ResponseHead] { state.withLock { $0.redirects } }
  package var heads: [ResponseHead] { state.withLock { $0.heads } }
  package var pieces: Int { state.withLock { $0.pieces } }
}
