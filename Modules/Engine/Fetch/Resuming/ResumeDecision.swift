import ContentCodings
import Models
import Transport

/// Decides how to continue after a response head, given the bytes already on disk. Pure.
///
/// Bytes are appended only on a `206` that begins behind them with the same strong validator (RFC 9110 §14.4, §15.3.7.3) from the
/// URL that has sent them, or if a digest verifies the complete file (`PartContinuation`); on any doubt the
/// download begins again from zero.
enum ResumeDecision: Equatable {
  /// The response contains the missing rest, or the part of it before `end`; the complete file has `total` bytes.
  case append(total: Int64, end: Int64? = nil)
  /// The response contains the whole file, which is written from zero.
  case restart
  /// The file on disk is already complete (416 with the length of the file).
  case complete
  /// The file that the library holds is still current (304 to a conditional request).
  case unchanged
  /// Repeat the request without a range, after the state of the partial file has been forgotten.
  case startOver
  /// Repeat the request without a range and a condition; the bytes on disk are kept until a response replaces them.
  case requestWhole
  case fail(DownloadFailure)

  /// The bytes on disk from which the request continues.
  struct PriorBytes: Sendable, Equatable {
    /// The number of bytes on disk; 0 for a request without a range.
    var byteCount: Int64 = 0
    /// The number of bytes on disk that survive a power cut.
    var syncedByteCount: Int64 = 0
    var validator = Validator()
    var totalBytes: Int64?
    /// The received ranges of a file that several connections filled; nil if the file has no gaps.
    var segments: Segments?
    /// The URL of the bytes, as the text of a `PartSource`; nil if it is unknown, or if there are several.
    var url: String?
    /// How the request continues the bytes.
    var continuation = PartContinuation.none
    /// The bytes of another URL, which a response with the whole file would replace; nil if there are none.
    var endangered: WholeBodyCheck.Endangered?
    /// Whether the request is conditional on the file that the library holds.
    var isConditional = false

    /// The bytes that a response to a request for the whole file would replace; nil if there are none.
    var replaceable: WholeBodyCheck.Endangered? {
      guard endangered == nil, byteCount > 0 else { return endangered }
      return WholeBodyCheck.Endangered(byteCount: byteCount, totalBytes: totalBytes)
    }

    /// The list of ranges that a partial file with gaps contains.
    struct Segments: Sendable, Equatable {
      var journal: SegmentJournal
      /// The number of the list's last write.
      var sequence: UInt64
    }
  }

  /// - Parameter decodable: The content codings that are decoded.
  init(_ head: ResponseHead, known: PriorBytes, decodable: [ContentCoding] = [.gzip]) {
    let coding = ContentCodingField(head.fields)
    switch (head.status, coding) {
    case (200..<300, .unsupported(let names)):
      self = .fail(Self.unrequestedCoding(names))
      return
    case (200..<300, .one(let coding)) where !decodable.contains(coding):
      self = .fail(Self.unrequestedCoding(coding.rawValue))
      return
    // The coded response cannot continue the bytes on disk, which are not coded.
    case (200..<300, .one) where known.byteCount > 0:
      self = .startOver
      return
    default: break
    }
    switch head.status {
    case 206 where known.byteCount > 0: self = Self.partial(head, known)
    case 200 where known.byteCount > 0 && head.isPart:
      // Some servers send the rest with this status. Nothing but the range and the tag tells it from a whole file.
      self =
        head.fields["ETag"] != nil || known.continuation == .verifiedByChecksum
        ? Self.partial(head, known) : .startOver
    case 206 where head.hasWholeRange: self = Self.decisionForWholeBody(head, known)
    case 206: self = .fail(Self.unrequestedPart(206))
    case 200 where head.isPart: self = .fail(Self.unrequestedPart(200))
    // The file is not ready; what is known of it is kept.
    case 202 where known.byteCount > 0:
      self = .fail(.refused(head))
    case 416 where known.byteCount > 0:
      let range = head.fields["Content-Range"].flatMap { ContentRange($0) }
      let isWhole =
        range == .unsatisfied(total: known.byteCount)
        && known.totalBytes ?? known.byteCount == known.byteCount
        && (known.continuation == .verifiedByChecksum || Self.isUnchanged(head, known))
      self = isWhole ? .complete : .startOver
    // Some servers answer so to If-None-Match, which means 304 for a GET (RFC 9110 §13.1.2).
    case 412 where known.byteCount > 0 || known.isConditional: self = .startOver
    // Some servers refuse requests with a condition or a range. The bytes that are there show that they have answered
    // a request without. The refusal may be meant as one of the file, so that the bytes are kept for now.
    case 400, 403, 501:
      if known.byteCount > 0 {
        self = .requestWhole
      } else {
        self = known.isConditional ? .startOver : .fail(Self.failure(head))
      }
    // Another origin does not receive the condition, so that its 304 means nothing.
    case 304 where known.isConditional && known.byteCount == 0 && !head.hasLeftOrigin:
      self = .unchanged
    case 204, 205: self = .fail(.content("the server sent no content (\(head.status))"))
    case 200..<300: self = Self.decisionForWholeBody(head, known)
    default: self = .fail(Self.failure(head))
    }
  }

  private static func failure(_ head: ResponseHead) -> DownloadFailure {
    .refused(head)
  }

  /// Whether a response without content (416) is about the version of the bytes on disk. Many servers send no tag
  /// with this status; those that observe `If-Range` send it for the same version only.
  private static func isUnchanged(_ head: ResponseHead, _ known: PriorBytes) -> Bool {
    guard PartSource.isSame(head, known.url) else { return false }
    return head.fields["ETag"].map { EntityTag($0) == known.validator.entityTag } ?? true
  }

  private static func unrequestedPart(_ status: Int) -> DownloadFailure {
    .protocolViolation(
      "the server sent a part (\(status)), although the whole file was requested")
  }

  private static func unrequestedCoding(_ names: String) -> DownloadFailure {
    .content("the server sent the content encoded with \(names), which was not requested")
  }

  /// Decides about a response with the whole file. Another version, or a body that would overwrite synced
  /// bytes, must not be written to a file whose row still describes the old bytes: a later attempt could
  /// combine the two.
  private static func decisionForWholeBody(_ head: ResponseHead, _ known: PriorBytes)
    -> ResumeDecision
  {
    // The row of the other URL's bytes is deleted first, and then the file requested again.
    guard known.endangered == nil else { return .startOver }
    guard known.byteCount > 0 else { return .restart }
    return isSame(head, known) && known.syncedByteCount == 0 ? .restart : .startOver
  }

  private static func partial(_ head: ResponseHead, _ known: PriorBytes) -> ResumeDecision {
    guard case .range(let first, let last, let total?)? = head.fields.contentRange,
      first == known.byteCount, known.totalBytes ?? total == total,
      head.contentLength ?? (last + 1 - first) == last + 1 - first,
      known.continuation == .verifiedByChecksum || isSame(head, known)
    else { return .startOver }
    // A server may send less than was requested, if it says so (RFC 9110 §15.3.7).
    return last == total - 1 ? .append(total: total) : .append(total: total, end: last + 1)
  }

  /// Returns the reason why a response does not continue the bytes on disk, for an attempt that fails because of it.
  static func restartCause(_ head: ResponseHead, _ known: PriorBytes) -> DownloadFailure {
    let isOther = known.continuation != .verifiedByChecksum && !isSame(head, known)
    return .protocolViolation(
      isOther
        ? "the file on the server changed before all of it was received"
        : "the server ignored the range of a request")
  }

  /// Whether the response is of the version and from the source of the bytes on disk.
  private static func isSame(_ head: ResponseHead, _ known: PriorBytes) -> Bool {
    isSame(head, known.validator) && PartSource.isSame(head, known.url)
  }

  /// Whether the response is of exactly the version that the validator names.
  static func isSame(_ head: ResponseHead, _ validator: Validator) -> Bool {
    let now = Validator(head.fields)
    if let tag = validator.entityTag { return !tag.isWeak && now.entityTag == tag }
    return validator.lastModified != nil && now.lastModified == validator.lastModified
      && now.entityTag == nil
  }
}

extension ResponseHead {
  /// Whether the response has a part of a file: by its status, or, if that is 200, by its range.
  var isPart: Bool {
    guard status == 200 else { return status == 206 }
    guard case .range(let first, let last, let total?)? = fields.contentRange else { return false }
    return first > 0 || last < total - 1
  }

  /// Whether the response states that its range is the whole file, as some servers do without a request for a range.
  fileprivate var hasWholeRange: Bool {
    guard case .range(0, let last, let total?)? = fields.contentRange, last == total - 1 else {
      return false
    }
    return contentLength ?? total == total
  }
}
