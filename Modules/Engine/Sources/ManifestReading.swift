import Archive
import HTTP1
import LibraryAPI
import Manifests
import Markup
import Models
import SystemCalls

/// Reads a spooled source on a blocking thread and sends its records and entries to a channel.
struct ManifestReading: Sendable {
  let source: SpooledSource
  /// The name of the source as the user gave it: the title of the record, and the name in messages.
  let name: String
  let form: SourceForm
  /// The way in which an earlier reading has read the text of the source; nil if it is not known.
  let layout: RecordedLayout?
  var expected = ExpectedDocument()
  let archive: any ArchiveReader
  let markup: any MarkupReader
  let limits: Settings.Limits
  let channel: ImportChannel

  enum Kind: Sendable, Equatable {
    /// A list, whose entries are sent to the channel.
    case list
    case archiveOfLists
    /// A web page or the listing of a folder. The rule is nil if it is to be recognised from the content.
    case markup(MarkupRule?)
    /// A single image, PDF or archive.
    case resource

    /// The format that the kind determines; nil if there are several.
    var format: ManifestFormat? {
      switch self {
      case .list: nil
      case .archiveOfLists: .zip
      case .markup(let rule): rule.flatMap { ManifestFormat(rawValue: $0.rawValue) }
      case .resource: .singleResource
      }
    }
  }

  /// Returns the kind of the source. Blocks, because it may have to list an archive.
  func kind() throws -> Kind {
    if expected.hasContent || isDocumentDemanded, try isBlank() {
      throw LibraryError(.source, "\(name): the document is empty")
    }
    let kind = try recognisedKind()
    try expected.check(kind.format.map { ContentFormat($0) }, name: name)
    // The parser of lists refuses the columns by itself, unless the list is a table.
    guard kind != .list, let reason = form.columns.refusal(by: kind.format ?? form.format) else {
      return kind
    }
    throw LibraryError(.source, "\(name): \(reason)")
  }

  /// Whether the user demands a format that is never without any bytes.
  private var isDocumentDemanded: Bool {
    [.feed, .sitemap, .metalink, .bucket].contains(form.format)
  }

  /// Whether the source has no bytes, or only white space.
  private func isBlank() throws -> Bool {
    guard source.isWhole else { return false }
    if let compressed { return try compressed.isBlank(limit: limits.manifestBytes) }
    let head = source.head.withoutByteOrderMark
    guard head.allSatisfy(\.isWhiteSpace) else { return false }
    guard source.byteCount > source.head.count else { return true }
    let file = try FileSystem.open(source.path, followingLinks: !source.isTemporary)
    var offset = Int64(source.head.count)
    while case let bytes = try file.bytes(count: 64 << 10, at: offset), !bytes.isEmpty {
      try channel.check()
      guard bytes.allSatisfy(\.isWhiteSpace) else { return false }
      offset += Int64(bytes.count)
    }
    return true
  }

  private func recognisedKind() throws -> Kind {
    guard source.isWhole else { return .resource }
    switch form.format {
    case .zip: return .archiveOfLists
    case .singleResource: return .resource
    case .json, .jsonLines, .text, .csv, .tsv, .aria2, .galleryDL, .series, .iiif: return .list
    case .html: return .markup(try demanded(.html))
    case .listing: return .markup(try demanded(.listing))
    case .feed: return try isJSON() ? .list : .markup(try demanded(.feed))
    case .sitemap: return .markup(try demanded(.sitemap))
    case .metalink: return .markup(try demanded(.metalink))
    case .bucket: return .markup(try demanded(.bucket))
    case nil: break
    }
    let beginning = try beginning()
    if let reason = BucketError.refusal(head: beginning.head) ?? beginning.kind.refusal {
      throw LibraryError(.source, "\(name): \(reason)")
    }
    switch beginning.kind {
    case .list: return .list
    // A file of unknown type is still kept as a resource; its reason is "no preview".
    case .resource, .unknown, .otherMarkup, .encoding: return .resource
    case .webPage: return .markup(nil)
    case .xml(let rule): return .markup(rule)
    case .archive:
      let probe = ListProbe()
      do {
        try archive.walk(source.path, visitor: probe)
      } catch {
        if let compressed, let reason = compressed.knownFault(try compressed.head(), name) {
          throw reason
        }
        // A damaged archive of images is kept, because the images in front of the damage can be shown. An archive of
        // a kind that imgdl does not read is kept like any other file, unless it has lists.
        let isKept =
          switch error.code {
          case .unsupported: !probe.hasOnlyLists
          case .format, .truncated, .damaged: probe.hasImages || isNamedAsComic
          default: false
          }
        guard isKept else { throw refused(error) }
      }
      return probe.hasOnlyLists ? .archiveOfLists : .resource
    case .zstd:
      // The readers of archives do not decode Zstandard, so that an archive in it is a file of unknown type.
      guard let compressed, case let head = try compressed.head(), head.kind != .archive(.tar)
      else { return .resource }
      throw compressed.refusal(head, name)
    }
  }

  /// The source as a compressed document; nil if it is none.
  private var compressed: CompressedDocument? { CompressedDocument(source) }

  /// Returns the first bytes that tell the kind of the source, and this kind: those of the document in a compressed
  /// source, or else those of the source itself.
  private func beginning() throws -> (head: [UInt8], kind: ManifestRecognition) {
    if let head = try compressed?.head(), let kind = head.kind, kind.isDocument {
      return (head.bytes, kind)
    }
    return (
      source.head, ManifestRecognition.recognise(head: source.head, of: source.format)
    )
  }

  /// Whether the source is JSON, as a JSON Feed is.
  private func isJSON() throws -> Bool { try beginning().kind == .list(.json) }

  /// Returns the rule that the user demands, for a source that may be read by it.
  private func demanded(_ rule: MarkupRule) throws -> MarkupRule {
    switch ManifestRecognition.recognise(head: source.head, of: source.format) {
    case .archive(.gzip), .zstd: return rule
    case .archive(let format), .resource(let format):
      throw LibraryError(.source, "\(name): the content is \(format.displayName), not \(rule.noun)")
    case .list, .webPage, .xml, .otherMarkup, .encoding, .unknown: return rule
    }
  }

  /// Opens a list or a document of markup, and decodes it if it is compressed. Blocks.
  /// - Returns: The content; nil for an archive or a resource.
  func content(of kind: Kind) throws -> SourceContent? {
    let limit: CompressedDocument.Limit
    switch kind {
    case .archiveOfLists, .resource: return nil
    case .list: limit = .init(bytes: limits.manifestBytes, origin: "limits.manifestBytes")
    case .markup:
      let limits = MarkupLimits(limits)
      limit = .init(bytes: limits.bytes, origin: limits.originOfBytes)
    }
    guard let compressed else {
      return SourceContent(
        file: try FileSystem.open(source.path, followingLinks: !source.isTemporary),
        byteCount: source.byteCount)
    }
    let content = try compressed.decoded(limit, name: name)
    // The last line of a truncated list may be a part of a URL.
    if kind == .list, let reason = content.truncation { throw LibraryError(.source, reason) }
    return content
  }

  /// Reads the source and sends all of its messages. Blocks until they are sent.
  /// - Parameter content: The content of a list or of a document of markup.
  func run(_ kind: Kind, _ content: SourceContent?) throws {
    defer { channel.endMessages() }
    switch kind {
    case .list:
      if let content { try read(content) }
    case .archiveOfLists:
      let reader = ListArchiveReader(reading: self)
      do {
        try archive.walk(source.path, visitor: reader)
      } catch {
        if let failure = reader.failure { throw failure }
        throw refused(error)
      }
      try channel.send(.format(ContentFormat(.zip)))
    case .markup(let rule):
      guard let content else { return }
      try channel.send(.title(ManifestTitle.title(forFileName: name)))
      try MarkupReading(
        source: source, content: content, name: name, rule: rule, expected: expected,
        reader: markup, limits: limits,
        channel: channel
      ).run()
    case .resource: break
    }
  }

  /// Whether the name of the source ends like those of archives of images, of which only a whole one tells its
  /// entries.
  private var isNamedAsComic: Bool {
    let path = name.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".cbz", ".cbt", ".cb7", ".cbr"].contains { path.hasSuffix($0) }
  }

  private func refused(_ error: ArchiveError) -> LibraryError {
    LibraryError(error.code == .limit ? .policy : .source, "\(name): \(error.description)")
  }

  private func read(_ content: SourceContent) throws {
    try channel.send(.title(ManifestTitle.title(forFileName: name)))
    var list = ListSender(
      name: name, base: source.url, form: form, layout: layout,
      isTable: source.fields["Content-Type"].map(ContentType.isTable) ?? false,
      hasNextPage: LinkHeader.next(in: source.fields) != nil, expected: expected,
      limits: ManifestLimits(limits), channel: channel)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    do {
      while case let count = try content.file.read(into: buffer, at: offset), count > 0 {
        offset += Int64(count)
        try channel.check()
        try list.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes)
      }
      try list.endList()
    } catch let error as ManifestError {
      try list.flush()
      guard error.code == .tooMany else {
        throw LibraryError(
          error.isLimit ? .policy : .source, error.description, underlying: error)
      }
      try channel.send(.excess(error.description))
    }
    if let layout = list.layout { try channel.send(.layout(layout)) }
    if let format = list.format { try channel.send(.format(format)) }
  }
}

enum ListEntry {
  /// Returns whether an entry of an archive is a list, judged by its name.
  static func isList(_ name: String) -> Bool {
    let name = name.lowercased()
    guard !name.hasPrefix("__macosx/"), name.split(separator: "/").last?.hasPrefix("._") != true
    else { return false }
    return name.hasSuffix(".json") || name.hasSuffix(".jsonl")
  }
}

/// Distinguishes an archive of lists from an archive of images by the names of the entries.
private final class ListProbe: ArchiveVisitor {
  private var hasLists = false
  private(set) var hasImages = false
  var hasOnlyLists: Bool { hasLists && !hasImages }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    guard entry.kind == .file else { return .skip }
    if ListEntry.isList(entry.name) { hasLists = true }
    let suffix = entry.name.lowercased().split(separator: ".").last.map(String.init) ?? ""
    if ["jpg", "jpeg", "png", "webp", "gif", "tif", "tiff", "bmp", "avif", "heic"]
      .contains(suffix)
    {
      hasImages = true
    }
    return .skip
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {}
  func endEntry() throws(ArchiveError) {}
}

/// Reads each list of an archive as a record of its own. An unreadable list is reported as a problem, and
/// the other lists are read.
private final class ListArchiveReader: ArchiveVisitor {
  private let reading: ManifestReading
  private var list: ListSender?
  private var listCount = 0
  /// The error that ended the walk, if the archive itself did not cause it.
  private(set) var failure: (any Error)?

  init(reading: ManifestReading) { self.reading = reading }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    guard entry.kind == .file, ListEntry.isList(entry.name) else { return .skip }
    try attempt {
      let title = ManifestTitle.title(forFileName: entry.name)
      listCount += 1
      // With a key, the next page of the list continues its record. No title has this character.
      try reading.channel.send(.record(title: title, key: "\0\(listCount)"))
      list = ListSender(
        name: "\(reading.name): \(entry.name)", base: reading.source.url, form: SourceForm(),
        limits: ManifestLimits(reading.limits), channel: reading.channel)
    }
    return .read
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    do {
      try list?.receive(bytes)
    } catch {
      try abandonList(error)
    }
  }

  func endEntry() throws(ArchiveError) {
    do {
      try list?.endList()
    } catch {
      try abandonList(error)
    }
    list = nil
  }

  /// Reports a damaged or encrypted list as a problem, so that the walk continues with the other lists.
  func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    guard error.code != .limit, error.code != .visitor else { throw error }
    try endList(reporting: "\(reading.name): \(error.description)")
  }

  private func abandonList(_ error: any Error) throws(ArchiveError) {
    try attempt { guard error is ManifestError else { throw error } }
    try endList(reporting: "\(error)")
  }

  /// Ends a list early; the entries before the problem are kept.
  private func endList(reporting problem: String) throws(ArchiveError) {
    try attempt {
      try list?.flush()
      list = nil
      try reading.channel.send(.problems([problem], count: 1))
    }
  }

  private func attempt(_ body: () throws -> Void) throws(ArchiveError) {
    do {
      try body()
    } catch {
      failure = error
      throw ArchiveError(.visitor, "\(error)")
    }
  }
}

extension MarkupRule {
  /// The kind of document with its article, for messages.
  fileprivate var noun: String {
    switch self {
    case .html, .listing: "a web page"
    case .feed: "a feed"
    case .sitemap: "a sitemap"
    case .metalink: "a Metalink document"
    case .bucket: "a listing of a bucket"
    }
  }
}
