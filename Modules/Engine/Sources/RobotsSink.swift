import Models
import Robots
import Transport

/// Receives a robots.txt file into memory: one byte more than the part that counts, which shows that the
/// rest was left out.
///
/// @unchecked Sendable: the transport calls one method at a time, and none after it has reported completion;
/// only then does the fetcher read the results.
final class RobotsSink: BodySink, @unchecked Sendable {
  private static let limit = RobotsRules.maximumBytes + 1

  private(set) var head: ResponseHead?
  private(set) var bytes: [UInt8] = []
  private var decoding = BodyDecoding()

  /// The reason why the body cannot be read, if the server coded it.
  var problem: String? { decoding.problem }
  var isFull: Bool { bytes.count >= Self.limit }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    self.head = head
    guard RobotsAnswer(status: head.status) == nil else { return .refuse }
    decoding = BodyDecoding(head.fields)
    if let problem { throw SinkError(problem) }
    return .accept
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    try decoding.receive(bytes) { (bytes) throws(SinkError) in try append(bytes) }
  }

  /// Ends the decoding of the body and returns the reason if the decoded content is incomplete.
  func endDecoding() -> String? { decoding.end() }

  private func append(_ new: RawSpan) throws(SinkError) {
    let count = min(new.byteCount, Self.limit - bytes.count)
    new.extracting(first: count).withUnsafeBytes { bytes.append(contentsOf: $0) }
    if isFull { throw SinkError("longer than the part that counts") }
  }
}
