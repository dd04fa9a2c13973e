import ContentCodings
import Models
import Transport

/// Decodes a response body that may have a content coding, on its way through a sink.
struct BodyDecoding {
  private let decoder: (any ContentDecoder)?
  /// The reason why the body cannot be decoded, as a clause for users; nil if there is none.
  private(set) var problem: String?

  /// - Parameter fields: The fields of the response, whose coding is a problem if it is not supported.
  init(_ fields: HTTPFields = HTTPFields()) {
    let field = ContentCodingField(fields)
    decoder = if case .one(let coding) = field { coding.makeDecoder() } else { nil }
    if case .unsupported(let names) = field {
      problem = "the server sent the content encoded with \(names), which was not requested"
    }
  }

  var isCoded: Bool { decoder != nil }

  /// Passes the next bytes of the body on, decoded.
  /// - Throws: The error of `append`, or another one if the bytes cannot be decoded, with a `problem`.
  mutating func receive(
    _ bytes: RawSpan, _ append: (RawSpan) throws(SinkError) -> Void
  ) throws(SinkError) {
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

  /// Whether the body has a coding whose data has come to its end, with the checksum of all of it.
  var isWhole: Bool {
    guard let decoder, problem == nil else { return false }
    do throws(DecodingFailure) {
      try decoder.finish()
      return true
    } catch {
      return false
    }
  }

  /// Ends the body, which must be complete, and returns the problem if there is one.
  mutating func end() -> String? {
    do throws(DecodingFailure) {
      try decoder?.finish()
    } catch {
      problem = error.description
    }
    return problem
  }
}
