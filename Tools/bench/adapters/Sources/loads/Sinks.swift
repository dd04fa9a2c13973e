import Foundation
import Transport

/// Takes everything and keeps nothing.
final class Drain: BodySink {
  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision { .accept }
  func receive(_ bytes: RawSpan) throws(SinkError) {}
}

/// A disk that is slow: blocks the transport's thread until its rate is kept.
///
/// `@unchecked`: the transport calls it on one thread at a time, and it is read when all is over.
final class ThrottledSink: BodySink, @unchecked Sendable {
  private let rate: Double
  private let start = ContinuousClock.now
  private var looked = 0
  private(set) var bytes = 0
  private(set) var largest = 0.0

  /// - Parameter rate: bytes a second.
  init(rate: Int) { self.rate = Double(max(1, rate)) }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision { .accept }

  func receive(_ span: RawSpan) throws(SinkError) {
    bytes += span.byteCount
    let ahead = Double(bytes) / rate - (ContinuousClock.now - start) / .seconds(1)
    if ahead > 0 { usleep(UInt32(min(ahead, 1) * 1e6)) }
    guard bytes - looked > 4 << 20 else { return }
    looked = bytes
    largest = max(largest, ThisProcess.residentMegabytes)
  }
}
