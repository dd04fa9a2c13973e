import Models
import Transport

/// What to do with a response, given what is already on disk: the resume ladder. Pure.
///
/// Bytes are appended only on an exact `206` with the same strong validator (RFC 9110 §14.4,
/// §15.3.7.3); on any doubt the download begins again from zero.
enum ResumeDecision: Equatable {
  case append
  case restart
  /// The file on disk is already whole (416 with our length).
  case complete
  /// Ask again without a range.
  case askAgain
  case fail(DownloadFailure)

  /// - Parameters:
  ///   - have: bytes on disk that the request's range asked to continue; 0 for a plain request.
  ///   - validator: of those bytes.
  init(_ head: ResponseHead, have: Int64, validator: Validator) {
    switch head.status {
    case 200: self = .restart
    case 206 where have > 0: self = Self.partial(head, have: have, validator: validator)
    case 206: self = .fail(.protocolViolation("a part was sent (206) though all was asked for"))
    case 416 where have > 0:
      let range = head.fields["Content-Range"].flatMap { ContentRange($0) }
      self = range == .unsatisfied(total: have) ? .complete : .askAgain
    case 412 where have > 0: self = .askAgain
    case 204, 205: self = .fail(.protocolViolation("the server sent no content (\(head.status))"))
    case 200..<300: self = .restart
    default: self = .fail(.status(head.status, retryAfter: head.fields["Retry-After"]))
    }
  }

  private static func partial(
    _ head: ResponseHead, have: Int64, validator: Validator
  ) -> ResumeDecision {
    guard let value = head.fields["Content-Range"], let range = ContentRange(value),
      case .range(let first, let last, let total) = range, first == have,
      total.map({ last == $0 - 1 }) ?? true
    else { return .askAgain }
    if let length = head.contentLength, length != last - first + 1 { return .askAgain }
    let now = Validator(head.fields)
    if let tag = validator.entityTag {
      guard !tag.isWeak, now.entityTag == nil || now.entityTag == tag else { return .askAgain }
    } else {
      guard now.lastModified == nil || now.lastModified == validator.lastModified else {
        return .askAgain
      }
    }
    return .append
  }
}
