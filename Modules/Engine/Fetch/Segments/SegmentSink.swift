import Models
import Transport

/// Receives the response to the request for one segment, and passes its bytes to the transfer.
///
/// @unchecked Sendable: the transport calls one method at a time, and none after it has reported completion;
/// only then is `verdict` read.
final class SegmentSink: BodySink, @unchecked Sendable {
  private let transfer: SegmentedTransfer
  private let segment: SegmentPlan.Segment
  private let version: SegmentVersion
  /// The judgement of the response; nil until its head was received.
  private(set) var verdict: SegmentVersion.Verdict?

  init(
    _ transfer: SegmentedTransfer, _ segment: SegmentPlan.Segment, of version: SegmentVersion
  ) {
    self.transfer = transfer
    self.segment = segment
    self.version = version
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    let verdict = version.judge(head, for: segment.range)
    self.verdict = verdict
    guard verdict == .accepted, transfer.confirm(segment.id) else { return .refuse }
    return .accept
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    try transfer.receive(bytes, for: segment.id)
  }
}
