import Models
import Transport

/// Judges the head of a response with a whole file before anything is written. Pure.
///
/// A server that no longer has a file often answers with a web page and the status 200, as the new owner of a
/// domain does. Such a page must not replace the bytes that another URL has delivered.
struct WholeBodyCheck: Sendable, Equatable {
  /// The bytes of another URL, which are overwritten if the response is accepted.
  struct Endangered: Sendable, Equatable {
    /// The number of bytes on disk.
    var byteCount: Int64
    /// The length of the complete file in bytes; nil if it is unknown.
    var totalBytes: Int64?
    /// Whether they are those of a web page.
    var isPage = false
  }

  /// The sizes in bytes that the lists state; nil if one of them accepts a content of any size.
  var byteCounts: Set<Int64>?
  /// Whether the URL is the resource's own, whose content may have another length than that of a mirror.
  var isOwn = true
  /// Whether a web page cannot be the content: the URL is a mirror, and the resource's own URL has the name of
  /// another kind of file. A digest decides better.
  var refusesPages = false
  /// The URL of the request; nil for none.
  var url: HTTPURL?

  /// Whether a stream of sound or moving images cannot be the content, because the name in the URL is that of an image,
  /// a document or an archive.
  var refusesStreams: Bool { url.map { ResourceExpectation($0) != .anything } ?? false }

  /// Returns the reason why the response is not the file; nil if it may be.
  /// - Parameter endangered: The bytes that the file would replace; nil if there are none.
  func failure(_ head: ResponseHead, replacing endangered: Endangered?) -> DownloadFailure? {
    guard (200..<300).contains(head.status) else { return nil }
    if head.isPart { return Self.failure(ofPart: head, continuing: endangered) }
    // The length of a coded body is not that of the content.
    let length = ContentCodingField(head.fields) == .none ? head.contentLength : nil
    if let length, let byteCounts, !byteCounts.contains(length) {
      let stated = byteCounts.sorted().map(String.init).joined(separator: " or ")
      return .content("it has \(length) bytes, the manifest specifies \(stated)")
    }
    let isStated = length != nil && byteCounts != nil
    guard !isStated, endangered != nil || refusesPages else { return nil }
    if let length, length == endangered?.totalBytes { return nil }
    if length == 0 { return .content("the server sent an empty file") }
    if Self.isPage(head.fields), !(endangered?.isPage ?? false) {
      return .content("the server sent a web page")
    }
    guard !isOwn, let endangered, let length else { return nil }
    if let total = endangered.totalBytes { return Self.otherLength(length, total) }
    if length < endangered.byteCount {
      return .content(
        "it has \(length) bytes, another server has already sent \(endangered.byteCount)")
    }
    return nil
  }

  private static func failure(
    ofPart head: ResponseHead, continuing endangered: Endangered?
  ) -> DownloadFailure? {
    guard let total = endangered?.totalBytes,
      let range = head.fields["Content-Range"].flatMap({ ContentRange($0) }),
      case .range(_, _, let length?) = range, length != total
    else { return nil }
    return otherLength(length, total)
  }

  private static func otherLength(_ length: Int64, _ total: Int64) -> DownloadFailure {
    .content("it has \(length) bytes, the file that another server has begun to send has \(total)")
  }

  private static func isPage(_ fields: HTTPFields) -> Bool {
    let type = fields["Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    return type == "text/html" || type == "application/xhtml+xml"
  }

  /// Whether a URL with this last path segment may lead to a web page.
  static func mayBePage(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return true }
    let suffix = name[name.index(after: dot)...].lowercased()
    return pageSuffixes.contains(suffix) || suffix.utf8.count > 5
  }

  private static let pageSuffixes: Set<String> = [
    "", "asp", "aspx", "cfm", "cgi", "do", "htm", "html", "jsp", "mht", "mhtml", "php", "pl", "py",
    "shtml", "xht", "xhtml",
  ]
}

extension Job {
  /// The judgement of a response to the job's request.
  var wholeBodyCheck: WholeBodyCheck {
    var check = WholeBodyCheck()
    check.isOwn = !isOnMirror
    check.url = location.url
    // A checksum decides without the size, which lists state wrongly at times.
    let sizes = subscribers.map {
      $0.resource.expectedChecksum == nil ? $0.resource.expectedByteCount : nil
    }
    if !sizes.isEmpty, !sizes.contains(nil) { check.byteCounts = Set(sizes.compactMap { $0 }) }
    if isOnMirror, storedChecksum == nil, let own = namingLocation.url {
      check.refusesPages = !WholeBodyCheck.mayBePage(own.lastPathComponent)
    }
    return check
  }
}
