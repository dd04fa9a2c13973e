import ContentCodings
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
  /// The reason why the body cannot be read, if the server coded it.
  private(set) var problem: String?
  private var decoder: (any ContentDecoder)?

  var isFull: Bool { bytes.count >= Self.limit }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    self.head = head
    guard RobotsAnswer(status: head.status) == nil else { return .refuse }
    switch ContentCodingField(head.fields) {
    case .none: return .accept
    case .one(let coding): decoder = coding.makeDecoder()
    case .unsupported(let names):
      problem = "it is encoded with \(names), which was not requested"
      throw SinkError("unsupported content coding")
    }
    return .accept
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let decoder else { return try append(bytes) }
    var isWanted = true
    do throws(DecodingFailure) {
      isWanted = try decoder.decode(bytes) { keep($0) }
    } catch {
      problem = error.description
      throw SinkError(error.description)
    }
    if !isWanted { throw full }
  }

  /// Ends the decoding of the body and returns the reason if the decoded content is incomplete.
  func endDecoding() -> String? {
    do throws(DecodingFailure) {
      try decoder?.finish()
      return nil
    } catch {
      return error.description
    }
  }

  private func append(_ bytes: RawSpan) throws(SinkError) {
    guard keep(bytes) else { throw full }
  }

  private func keep(_ new: RawSpan) -> Bool {
    let count = min(new.byteCount, Self.limit - bytes.count)
    new.extracting(first: count).withUnsafeBytes { bytes.append(contentsOf: $0) }
    return !isFull
  }

  private var full: SinkError { SinkError("longer than the part that counts") }
}
