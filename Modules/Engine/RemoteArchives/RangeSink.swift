import Models
import RemoteArchive
import SystemCalls
import Transport

/// Receives a part of a remote file into memory or into a file, and refuses every other response.
///
/// @unchecked Sendable: the transport calls one method at a time, and none after it has reported completion;
/// only then does the fetcher read the results.
final class RangeSink: BodySink, @unchecked Sendable {
  enum Target: Sendable {
    case memory
    /// The part is written at `offset` bytes from the start of the file.
    case file(OwnedDescriptor, offset: Int64)
  }

  private let judge: @Sendable (ResponseHead) -> RangeAnswer
  private let target: Target
  /// The meaning of the response; nil before its head was received.
  private(set) var answer: RangeAnswer?
  private(set) var head: ResponseHead?
  /// The number of bytes received so far.
  private(set) var count: Int64 = 0
  /// The received bytes, if they are kept in memory.
  private(set) var bytes: [UInt8] = []

  init(_ target: Target, judging judge: @escaping @Sendable (ResponseHead) -> RangeAnswer) {
    self.target = target
    self.judge = judge
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    let answer = judge(head)
    self.answer = answer
    self.head = head
    guard case .part = answer else { return .refuse }
    return .accept
  }

  func receive(_ new: RawSpan) throws(SinkError) {
    guard case .part(let range, _)? = answer, Int64(new.byteCount) <= Int64(range.count) - count
    else {
      answer = .invalid("the server sent more bytes than it announced")
      throw SinkError("more bytes than announced")
    }
    switch target {
    case .memory: new.withUnsafeBytes { bytes.append(contentsOf: $0) }
    case .file(let file, let offset):
      do throws(SystemError) {
        try file.write(all: new, at: offset + count)
      } catch {
        throw SinkError(error)
      }
    }
    count += Int64(new.byteCount)
  }
}
