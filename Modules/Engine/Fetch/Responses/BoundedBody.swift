import ContentCodings
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
  /// The decoder of a coded body; nil if the body is not coded.
  private var decoder: (any ContentDecoder)?
  /// The reason why the body cannot be decoded; nil if there is none.
  private(set) var problem: String?

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
    switch ContentCodingField(head.fields) {
    case .none: decoder = nil
    case .one(let coding): decoder = coding.makeDecoder()
    case .unsupported(let names):
      problem = "the server sent the content encoded with \(names), which was not requested"
      return .refuse
    }
    return .accept
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let decoder else { return try append(bytes) }
    var failure: SinkError?
    do throws(DecodingFailure) {
      _ = try decoder.decode(bytes) { decoded in
        do throws(SinkError) {
          try append(decoded)
        } catch {
          failure = error
        }
        return failure == nil
      }
    } catch {
      problem = error.description
      failure = SinkError(error.description)
    }
    if let failure { throw failure }
  }

  /// Ends the decoding of the body and returns the reason if it cannot be decoded.
  func endDecoding() -> String? {
    do throws(DecodingFailure) {
      try decoder?.finish()
    } catch {
      problem = error.description
    }
    return problem
  }

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
