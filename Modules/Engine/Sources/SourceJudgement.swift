import HTTP1
import Manifests
import Markup
import Models
import Transport

/// Judges the body of a source by the response and the first bytes. Pure.
///
/// A source is received over one connection from the server that the user names. A file that is not a list gains
/// from the download of a resource: several connections, and the mirrors that the response names. Such a body is
/// therefore not received as a source.
struct SourceJudgement: Sendable {
  /// The format that the user forces; nil if it is recognised.
  let format: ManifestFormat?
  /// Whether the file of a single resource is wanted, and not only the fact that it is one.
  let wantsResource: Bool
  /// The number of bytes from which a file is downloaded over several connections; nil if none is.
  let segmentedBytes: Int64?
  private let limits: Settings.Limits

  init(format: ManifestFormat?, wantsResource: Bool = true, _ settings: Settings) {
    self.format = format
    self.wantsResource = wantsResource
    limits = settings.limits
    let network = settings.network
    segmentedBytes = network.segments > 1 ? 2 * Int64(network.segmentBytes) : nil
  }

  /// - Parameters:
  ///   - bytes: The first bytes of the body.
  ///   - total: The length of the body in bytes; nil if it is unknown.
  func verdict(
    _ head: ResponseHead, _ bytes: [UInt8], total: Int64?
  ) -> FileSink.Aspects.Verdict {
    switch format {
    case nil:
      if let reason = BucketError.refusal(head: bytes) { return .refused(reason) }
      let recognised = ManifestRecognition.recognise(head: bytes)
      if let reason = recognised.refusal { return .refused(reason) }
      if recognised.isResource, !wantsResource || gains(head, total) { return .isResource }
      return .accepted(limit(of: recognised))
    case .singleResource:
      return !wantsResource || gains(head, total) ? .isResource : .accepted(resourceLimit)
    case let format?: return .accepted(limit(of: format, bytes))
    }
  }

  // MARK: - Limits

  private var resourceLimit: FileSink.Aspects.SizeLimit {
    FileSink.Aspects.SizeLimit(byteCount: Int64(limits.resourceBytes))
  }

  private var listLimit: FileSink.Aspects.SizeLimit {
    limit(limits.manifestBytes, "the list", "limits.manifestBytes")
  }

  private var pageLimit: FileSink.Aspects.SizeLimit {
    let markup = MarkupLimits(limits)
    return limit(markup.pageBytes, "the web page", markup.originOfPageBytes)
  }

  private var xmlLimit: FileSink.Aspects.SizeLimit {
    let markup = MarkupLimits(limits)
    return limit(markup.bytes, "the XML document", markup.originOfBytes)
  }

  private func limit(
    _ bytes: Int, _ noun: String, _ origin: String
  ) -> FileSink.Aspects.SizeLimit {
    FileSink.Aspects.SizeLimit(
      byteCount: Int64(min(bytes, limits.resourceBytes)),
      reason: bytes > limits.resourceBytes
        ? nil : "\(noun) has more than \(bytes) bytes, the most that can be read (\(origin))")
  }

  /// Returns the largest size at which a document that is recognised so can be read. The decoded content of a compressed
  /// file has a limit of its own.
  private func limit(of recognised: ManifestRecognition) -> FileSink.Aspects.SizeLimit {
    switch recognised {
    case .webPage: pageLimit
    case .xml: xmlLimit
    case .list: listLimit
    case .archive, .zstd, .resource, .otherMarkup, .encoding, .unknown: resourceLimit
    }
  }

  private func limit(
    of format: ManifestFormat, _ bytes: [UInt8]
  ) -> FileSink.Aspects.SizeLimit {
    switch ManifestRecognition.recognise(head: bytes) {
    case .archive, .zstd: return resourceLimit
    default: break
    }
    switch format {
    case .json, .jsonLines, .text, .csv, .tsv, .aria2, .galleryDL, .series, .iiif: return listLimit
    case .html, .listing: return pageLimit
    case .feed:
      return ManifestRecognition.recognise(head: bytes) == .list(.json) ? listLimit : xmlLimit
    case .sitemap, .metalink, .bucket: return xmlLimit
    case .zip, .singleResource: return resourceLimit
    }
  }

  /// Whether the download of a resource can use several connections or other servers.
  private func gains(_ head: ResponseHead, _ total: Int64?) -> Bool {
    let duplicates = DuplicateLinks(head.fields)?.targets ?? []
    if !duplicates.isEmpty || DescriptionLink(head.fields) != nil { return true }
    guard let segmentedBytes, let total, total >= segmentedBytes else { return false }
    return SegmentVersion(head, total: total) != nil
  }
}

extension ManifestRecognition {
  /// The reason to refuse the source; nil if it is a list, a web page, an archive or a single resource.
  var refusal: String? {
    switch self {
    case .encoding(let encoding): "the text is \(encoding); a list must be in UTF-8 or UTF-16"
    case .otherMarkup(let element):
      "markup with the first element <\(element.prefix(80))> is not read as a list; --format resource keeps the file "
        + "as it is"
    case .list, .archive, .zstd, .resource, .webPage, .xml, .unknown: nil
    }
  }

  /// Whether the fields of the response say how to read the source: where the list continues, and in which
  /// encoding a web page is.
  var needsFields: Bool {
    switch self {
    // A compressed file may be a list.
    case .list, .webPage, .xml, .archive(.gzip), .zstd: true
    case .archive, .resource, .otherMarkup, .encoding, .unknown: false
    }
  }

  /// Whether the source is a list or a document of markup that can be read.
  var isDocument: Bool {
    switch self {
    case .list, .webPage, .xml: true
    case .archive, .zstd, .resource, .otherMarkup, .encoding, .unknown: false
    }
  }

  /// Whether the source is a resource for certain: an archive may contain lists.
  fileprivate var isResource: Bool {
    switch self {
    case .resource, .unknown: true
    case .list, .archive, .zstd, .webPage, .xml, .otherMarkup, .encoding: false
    }
  }
}
