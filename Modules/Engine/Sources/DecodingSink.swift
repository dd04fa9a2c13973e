import Gzip
import Models
import Transport

/// Undoes gzip on the way to another sink, which counts and limits what comes out of it.
///
/// @unchecked Sendable: the transport calls one method at a time and none after `perform` has
/// returned (its contract); `problem` is read only after that.
final class DecodingSink: BodySink, @unchecked Sendable {
  private let sink: any BodySink
  private var reader: GzipReader?
  /// Why the body cannot be read, if that was the end of the transfer.
  private(set) var problem: String?

  init(_ sink: any BodySink) { self.sink = sink }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    // Of other answers nobody reads the body.
    guard head.status == 200 else { return try sink.begin(head) }
    switch ContentCoding(head.fields) {
    case .none: break
    case .gzip: reader = GzipReader()
    case .other(let names):
      problem = "the server sent it coded with \(names), which was not asked for"
      return .refuse
    }
    return try sink.begin(head)
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let reader else { return try sink.receive(bytes) }
    var failure: SinkError?
    do throws(GzipReader.Failure) {
      _ = try reader.read(bytes) { decoded in
        do throws(SinkError) {
          try sink.receive(decoded)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      problem = error.description
      throw SinkError(error.description)
    }
    if let failure { throw failure }
  }

  /// The body has ended and was wanted.
  func finish() {
    do throws(GzipReader.Failure) {
      try reader?.finish()
    } catch {
      problem = error.description
    }
  }
}
