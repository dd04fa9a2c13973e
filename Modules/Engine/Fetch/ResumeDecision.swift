import Models
import Transport

/// What to do with a response, given what is already on disk: the resume ladder. Pure.
///
/// Bytes are appended only on an exact `206` with the same strong validator (RFC 9110 §14.4,
/// §15.3.7.3); on any doubt the download begins again from zero.
enum ResumeDecision: Equatable {
  /// The rest comes, and makes so many bytes in all.
  case append(total: Int64)
  /// All of it comes; the file is written from zero.
  case restart
  /// The file on disk is already whole (416 with our length).
  case complete
  /// What the library holds is still the answer (304 to a conditional request).
  case unchanged
  /// Ask again without a range, after what is known of the partial file has been forgotten.
  case startOver
  case fail(DownloadFailure)

  /// Bytes on disk that a request's range asks to continue.
  struct Known: Sendable, Equatable {
    /// 0 for a plain request.
    var have: Int64 = 0
    /// Of those, how many survive a power cut.
    var synced: Int64 = 0
    var validator = Validator()
    var totalBytes: Int64?
    /// The request was made conditional on what the library holds.
    var isConditional = false
  }

  init(_ head: ResponseHead, known: Known) {
    let coding = ContentCoding(head.fields)
    switch (head.status, coding) {
    case (200..<300, .other(let names)):
      self = .fail(
        .content("the server sent it coded with \(names), which was not asked for"))
      return
    // The bytes on disk are not those of the coding.
    case (200..<300, .gzip) where known.have > 0:
      self = .startOver
      return
    default: break
    }
    switch head.status {
    case 206 where known.have > 0: self = Self.partial(head, known)
    case 206: self = .fail(.protocolViolation("a part was sent (206) though all was asked for"))
    case 416 where known.have > 0:
      let range = head.fields["Content-Range"].flatMap { ContentRange($0) }
      let isWhole =
        range == .unsatisfied(total: known.have) && known.totalBytes ?? known.have == known.have
      self = isWhole ? .complete : .startOver
    case 412 where known.have > 0: self = .startOver
    case 304 where known.isConditional && known.have == 0: self = .unchanged
    case 204, 205: self = .fail(.content("the server sent no content (\(head.status))"))
    case 200..<300: self = Self.whole(head, known)
    default: self = .fail(.status(head.status, retryAfter: head.fields["Retry-After"]))
    }
  }

  /// All of it comes. Of another version, or over bytes that count as safe, it must not be written
  /// into a file whose row still tells of the old ones: the two could be put together later.
  private static func whole(_ head: ResponseHead, _ known: Known) -> ResumeDecision {
    guard known.have > 0 else { return .restart }
    return isSame(head, known.validator) && known.synced == 0 ? .restart : .startOver
  }

  private static func partial(_ head: ResponseHead, _ known: Known) -> ResumeDecision {
    guard let value = head.fields["Content-Range"], let range = ContentRange(value),
      case .range(let first, let last, let total?) = range, first == known.have,
      last == total - 1, known.totalBytes ?? total == total,
      head.contentLength ?? (total - first) == total - first,
      isSame(head, known.validator)
    else { return .startOver }
    return .append(total: total)
  }

  /// Whether a response is of the very version that a validator names.
  private static func isSame(_ head: ResponseHead, _ validator: Validator) -> Bool {
    let now = Validator(head.fields)
    if let tag = validator.entityTag { return !tag.isWeak && now.entityTag == tag }
    return validator.lastModified != nil && now.lastModified == validator.lastModified
      && now.entityTag == nil
  }
}
