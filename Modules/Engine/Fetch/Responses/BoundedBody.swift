import SystemCalls
import Transport

/// Receives a body of limited size, decoded, into memory, or at the end of an open file.
///
/// @unchecked Sendable: by contract the transport calls one method at a time, and none after it has reported
/// completion; only then are the results read.
final class BoundedBody: BodySink, @unchecked Sendable {
  /// The largest accepted size in bytes.
  let limit: Int64
  private let file: OwnedDescriptor?
  private let start: Int64
  /// The body, if it is received into memory.
  private(set) var bytes: [UInt8] = []
  private(set) var byteCount: Int64 = 0
  private(set) var wasAnswered = false
  private(set) var isTooLarge = false
  private var decoding = BodyDecoding()

  /// The reason why the body cannot be decoded; nil if there is none.
  var problem: String? { decoding.problem }

  /// - Parameters:
  ///   - file: The file to write to, from `start` on; nil for memory.
  init(limit: Int64, file: OwnedDescriptor? = nil, start: Int64 = 0) {
    self.limit = limit
    self.file = file
    self.start = start
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    wasAnswered = true
    guard (200..<300).contains(head.status) else { return .refuse }
    decoding = BodyDecoding(head.fields)
    return problem == nil ? .accept : .refuse
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    try decoding.receive(bytes) { (bytes) throws(SinkError) in try append(bytes) }
  }

  /// Ends the decoding of the body and returns the reason if it cannot be decoded.
  func endDecoding() -> String? { decoding.end() }

  private func append(_ bytes: RawSpan) throws(SinkError) {
    guard Int64(bytes.byteCount) <= limit - byteCount else {
      isTooLarge = true
      throw SinkError("too large")
    }
    if let file {
      do throws(SystemError) {
        try file.write(all: bytes, at: start + byteCount)
      } catch {
        throw SinkError(error)
      }
    } else {
      bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
    }
    byteCount += Int64(bytes.byteCount)
  }
}
