import Models

/// Whether the bytes of a partial file may be continued by the response to a request for one URL of the
/// content, and with which request fields. Pure.
///
/// Bytes are joined in two cases only. Those of the same URL are continued under the URL's own validator
/// (RFC 9110 §13.1.5), which tells its versions apart. Those of another URL are continued only if the list
/// states a checksum, which is compared with the complete file, whichever URL has delivered the end. A tag or a
/// date identifies a version of one resource: of two URLs, even of one server, it proves nothing.
enum PartContinuation: Sendable, Equatable {
  /// The bytes are of no use for the request, which is for the whole file.
  case none
  /// The request has `Range`, and this value in `If-Range`.
  case sameVersion(ifRange: String)
  /// The request has `Range` without a condition, and the checksum of the complete file is compared.
  case verifiedByChecksum

  /// The properties of the bytes on disk.
  struct Part: Sendable, Equatable {
    /// The URL that has delivered all of them, as the text of a `PartSource`; nil if it is unknown, or if there
    /// are several.
    var url: String?
    var validator: Validator
    /// The length of the complete file in bytes; nil if it is unknown.
    var totalBytes: Int64?
  }

  /// The URL of the request (`HTTPURL.equivalenceKey`).
  struct Candidate: Sendable, Equatable {
    var url: String
    /// Whether it is the resource's own URL. Bytes of an unknown URL are those of the resource's own, because
    /// versions of the program without mirrors have not recorded it; bytes of several URLs have no validator.
    var isOwn = true
  }

  /// - Parameter checksum: The checksum that the list states for every subscriber; nil if there is none. The digest
  ///   that only a response states does not count: it is not stored, and says nothing about another URL.
  init(of part: Part, by candidate: Candidate, checksum: Checksum?) {
    if Self.isSame(part, candidate), let validator = part.validator.ifRange {
      self = .sameVersion(ifRange: validator)
    } else if checksum != nil, part.totalBytes != nil {
      self = .verifiedByChecksum
    } else {
      self = .none
    }
  }

  /// Whether the bytes are those of the candidate.
  private static func isSame(_ part: Part, _ candidate: Candidate) -> Bool {
    guard let url = part.url else { return candidate.isOwn }
    return PartSource(url).url.utf8.elementsEqual(candidate.url.utf8)
  }

  /// Returns the properties of the partial file after bytes of the candidate were appended.
  /// - Parameter part: The properties before.
  func appended(to part: Part, by candidate: Candidate) -> Part {
    switch self {
    case .none: part
    case .sameVersion:
      Part(
        url: part.url ?? candidate.url, validator: part.validator, totalBytes: part.totalBytes)
    case .verifiedByChecksum: Part(url: nil, validator: Validator(), totalBytes: part.totalBytes)
    }
  }
}

extension PartContinuation.Part {
  init(_ partial: PartialDownload) {
    self.init(
      url: partial.url, validator: partial.validator, totalBytes: partial.totalBytes)
  }
}
