import HTTP1
import Models
import Transport

/// The version of a file of which segments are requested, and the judgement of each response. Pure.
struct SegmentVersion: Sendable, Equatable {
  /// The strong entity tag of the version.
  let tag: EntityTag
  /// The length of the file in bytes.
  let total: Int64
  /// The URL that has answered, to which the segments are requested: the entity tag of another file may be equal by
  /// chance.
  let url: HTTPURL

  enum Verdict: Sendable, Equatable {
    /// The response contains exactly the requested range of the same version.
    case accepted
    /// The response contains the beginning of the requested range, up to this position.
    case acceptedPart(end: Int64)
    /// The server ignores the range, or answers with another one.
    case refused
    /// The file on the server is another version by now.
    case changed
    case failed(DownloadFailure)
  }

  /// Returns the version if the response allows segments: a known length, a strong entity tag, no content
  /// coding, and a server that does not exclude ranges (RFC 9110 §14.3). A date is not accepted as validator,
  /// because a file may change twice within a second.
  /// - Parameter total: The length of the whole file; nil if it is unknown.
  init?(_ head: ResponseHead, total: Int64?) {
    guard let total, let value = head.fields["ETag"], let tag = EntityTag(value), !tag.isWeak,
      ContentCodingField(head.fields) == .none,
      head.status == 206 || head.status == 200 && Self.mayAcceptRanges(head.fields)
    else { return nil }
    self.tag = tag
    self.total = total
    url = head.url
  }

  /// Returns the range of a partial response; nil if the response is not one.
  static func sentRange(_ head: ResponseHead) -> Range<Int64>? {
    guard head.status == 206, case .range(let first, let last, _)? = head.fields.contentRange else {
      return nil
    }
    return first..<last &+ 1
  }

  /// Whether a request for a range is worth a try: a server need not announce that it serves ranges.
  private static func mayAcceptRanges(_ fields: HTTPFields) -> Bool {
    let values = fields.all("Accept-Ranges")
    return values.isEmpty || values.contains { FieldList.members($0).contains("bytes") }
  }

  /// Judges the response to a request with `Range` and `If-Range` (RFC 9110 §14.2, §15.3.7).
  ///
  /// A redirect that leads some of the requests to another URL is refused, because its file may be another one. A
  /// server that signs the targets of its redirects anew has no reason to redirect a request to such a target.
  func judge(_ head: ResponseHead, for range: Range<Int64>) -> Verdict {
    if (200..<300).contains(head.status), head.url != url { return .refused }
    let current = head.fields["ETag"].flatMap { EntityTag($0) }
    switch head.status {
    case 206:
      let sent = head.fields.contentRange
      if let current, current != tag { return .changed }
      if case .range(_, _, let length?)? = sent, length != total { return .changed }
      guard case .range(range.lowerBound, let last, total)? = sent, last < range.upperBound,
        current == tag, ContentCodingField(head.fields) == .none
      else { return .refused }
      let count = last &+ 1 &- range.lowerBound
      guard head.contentLength ?? count == count else { return .refused }
      if last == range.upperBound &- 1 { return .accepted }
      // Less than was requested is a proper answer (RFC 9110 §15.3.7), but the file must grow with each request.
      return count >= RetryPolicy.minimumProgressBytes ? .acceptedPart(end: last &+ 1) : .refused
    case 200:
      if let current, current != tag { return .changed }
      if current != nil, let length = head.contentLength, length != total { return .changed }
      return .refused
    case 412: return .changed
    case 416:
      let length = head.fields["Content-Range"].flatMap { ContentRange($0) }
      if case .unsatisfied(let length)? = length, length != total { return .changed }
      return .refused
    case 200..<300: return .refused
    default: return .failed(.refused(head))
    }
  }
}
