import Synchronization
import Transport

/// A sink that keeps what it gets, and can be told to refuse, to fail or to wait.
final class RecordingSink: BodySink {
  struct Record: Sendable {
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var isOver = false
    var callsAfterEnd = 0
  }

  private let record = Mutex(Record())
  private let decision: BodyDecision
  private let onBytes: (@Sendable (Int) throws(SinkError) -> Void)?

  /// - Parameter onBytes: called with the number of bytes so far, on the transport's thread.
  init(
    _ decision: BodyDecision = .accept,
    onBytes: (@Sendable (Int) throws(SinkError) -> Void)? = nil
  ) {
    self.decision = decision
    self.onBytes = onBytes
  }

  var heads: [ResponseHead] { record.withLock(\.heads) }
  var body: [UInt8] { record.withLock(\.body) }
  var text: String { String(decoding: body, as: UTF8.self) }
  /// Calls that came after `end()`: there must be none after `perform` has returned.
  var callsAfterEnd: Int { record.withLock(\.callsAfterEnd) }

  func end() { record.withLock { $0.isOver = true } }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    note { $0.heads.append(head) }
    return decision
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    let array = bytes.withUnsafeBytes { Array($0) }
    note { $0.body += array }
    try onBytes?(body.count)
  }

  private func note(_ change: (inout Record) -> Void) {
    record.withLock { record in
      if record.isOver { record.callsAfterEnd += 1 }
      change(&record)
    }
  }
}
