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
    let isNeeded =
      switch verdict {
      case .accepted: transfer.confirm(segment.id)
      case .acceptedPart(let end): transfer.confirm(segment.id, upTo: end)
      case .refused, .changed, .failed: false
      }
    return isNeeded ? .accept : .refuse
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    try transfer.receive(bytes, for: segment.id)
  }
}
