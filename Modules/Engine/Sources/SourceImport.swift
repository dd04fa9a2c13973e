import Archive
import HTTP1
import LibraryAPI
import Manifests
import Markup
import Models
import Persistence
import SystemCalls
import Threading
import Transport

/// Receives the records and entries of a source.
protocol ImportTarget: AnyObject, Sendable {
  /// Begins a list, to which the following entries belong.
  /// - Parameter key: The key of the list: entries of an earlier list with the same key, if it is remembered
  ///   (`RecordGroups`), are continued; nil begins a new list.
  func beginList(title: String, key: String?) async throws
  func append(_ entries: [ManifestEntry]) async throws
  /// Reports `count` unusable entries; `problems` contains the reasons for the first of them.
  func report(problems: [String], count: Int) async
  /// Notes the format of the source's first document, after its entries.
  func noteFormat(_ format: ManifestFormat) async
  /// Adopts the whole source, which is already spooled, as a single resource.
  func adoptAsResource(_ source: SpooledSource, title: String) async throws
}

extension ImportTarget {
  func report(problem: String) async { await report(problems: [problem], count: 1) }

  func noteFormat(_ format: ManifestFormat) async {}

  func beginList(title: String) async throws { try await beginList(title: title, key: nil) }
}

/// Reads all documents of one source into a target.
struct SourceImport: Sendable {
  let fetcher: SourceFetcher
  /// Decides about the documents that documents name.
  let robots: RobotsPolicy
  let archive: any ArchiveReader
  let markup: any MarkupReader
  let limits: Settings.Limits
  let reading: BlockingQueue

  /// The extent to which a source is read.
  struct Extent: Sendable {
    /// The maximum number of pages of the source's first document.
    var pages = Int.max
    /// The validator of an earlier answer; nothing is read unless the first page has changed.
    var knownValidator = Validator()
    /// The way in which an earlier reading has read the source's text; nil if it is not known.
    var knownLayout: RecordedLayout?
    /// The properties that the source's first document had when it was read earlier.
    var expected = ExpectedDocument()
    /// Whether a page from a public address named the source.
    var isNamedByPublicPage = false
    /// Whether an earlier page of the list named the source, and not the user.
    var isFurtherPage = false
  }

  struct Outcome: Sendable {
    var isUnchanged = false
    /// Whether documents link to others, so that the source has several lists.
    var hasLinks = false
    var state = SourceState()
  }

  /// The next page and the linked documents that a document names, and the layout of its text.
  private struct Findings {
    var nextPage: String?
    var layout: RecordedLayout?
    /// The format of the document, if it is known when it has been read.
    var format: ContentFormat?
    var links: [DocumentQueue.Link] = []
    /// The length of the links in bytes.
    var linkBytes = 0
    /// Whether links are left out because they are too long together.
    var isCutOff = false
    /// Whether entries are left out because there are too many.
    var isTruncated = false

    mutating func add(_ link: String, _ relation: ManifestLink) {
      // More than can be read need no memory; one more shows that some are not read.
      guard links.count <= DocumentQueue.maximumDocuments, !isCutOff else { return }
      let length = link.utf8.count
      isCutOff = linkBytes + length > DocumentQueue.maximumURLBytes
      guard !isCutOff, length <= HTTPURL.maximumLength else { return }
      linkBytes += length
      links.append((link, relation))
    }
  }

  @concurrent
  func run(
    _ request: SourceRequest, _ extent: Extent = Extent(), into target: any ImportTarget
  ) async throws -> Outcome {
    var outcome = Outcome()
    var location = request.location
    if request.format == .series, case .url(let base) = location {
      location = .url(try Self.seriesURL(base))
    }
    var documents = DocumentQueue(location, pages: extent.pages, depth: limits.sourceDepth)
    var layout = extent.knownLayout
    var expected = extent.expected
    // The user has decided about the format, but not about the shape of JSON.
    let isFormatCompared = request.format == nil || request.format == .json
    if !isFormatCompared { expected.format = nil }
    var isFirst = true
    var isTruncated = false
    /// The last further page that was read.
    var lastPage: DocumentQueue.Document?
    var budget = SourceBudget(limits, at: fetcher.clock.now())
    var refused = RefusedDocuments()
    while budget.excess == nil, let document = documents.next() {
      let origin = origin(of: document, extent, outcome.state)
      do {
        let admission =
          document.isLinked ? DocumentAdmission(robots: robots, origin: origin) : nil
        if case .url(let url) = document.location { try await admission?.admit(url) }
        guard
          let source = try await fetcher.open(
            document.location, unless: isFirst ? extent.knownValidator : Validator(),
            format: request.format, namedBy: origin, redirects: admission)
        else {
          outcome.isUnchanged = true
          return outcome
        }
        let state = Self.state(source)
        if isFirst { outcome.state = state }
        outcome.state.isPublic = outcome.state.isPublic || state.isPublic
        if document.isLinked, let url = source.url, !documents.redirect(document, to: url) {
          await fetcher.close(source)
          continue
        }
        var findings = Findings()
        // Further pages of a text are read as the first one.
        findings.layout = document.isLinked ? nil : layout
        let result = await read(
          source, document, request, document.isLinked ? ExpectedDocument() : expected,
          into: target, &findings, &budget)
        isTruncated = isTruncated || findings.isTruncated
        if findings.isCutOff {
          await target.report(
            problem:
              "\(source.url?.description ?? request.name): the URLs of the documents that it links to "
              + "are longer than \(DocumentQueue.maximumURLBytes) bytes together; the others are not read"
          )
        }
        // The documents that a document names before an error in it are read nevertheless.
        documents.add(
          from: document, at: source.url, nextPage: findings.nextPage, links: findings.links)
        if !document.isLinked { layout = findings.layout }
        if isFirst {
          outcome.state.layout = layout?.text
          outcome.state.format = findings.format?.text
          expected.hasContent = true
          if isFormatCompared { expected.format = expected.format ?? findings.format }
        }
        if findings.isTruncated, budget.excess != nil { documents.fail(document) }
        try result.get()
        budget.progressed(at: fetcher.clock.now())
      } catch is SourceExcess {
        // The entries within the limits are still useful; the excess is reported below.
        documents.fail(document)
      } catch let refusal as DocumentRefusal {
        if let problem = refused.add(refusal) { await target.report(problem: problem) }
      } catch  where document.isLinked && Self.isOfDocument(error) {
        // The other documents of the source are still useful.
        await target.report(problem: LibraryError.wrapping(error).description)
      } catch  where document.page > 0 && Self.isOfDocument(error) {
        // The pages before are still useful, and the pages from here on can be read another time.
        documents.fail(document)
        await target.report(problem: Self.problem(of: document, error))
      }
      for problem in documents.takeProblems() { await target.report(problem: problem) }
      isFirst = false
      // The document that the user named needs no name in the report of the excess.
      if document.page > 0 || extent.isFurtherPage { lastPage = document }
      if documents.isUnfinished { budget.check(at: fetcher.clock.now()) }
    }
    for problem in refused.summaries { await target.report(problem: problem) }
    if budget.excess != nil {
      let cut = documents.unreadPage.flatMap { lastPage?.location == .url($0) ? $0 : nil }
      await target.report(problem: budget.problem(unread: documents.unread, cutPage: cut))
      documents.leavePage()
    }
    outcome.state.nextPage = documents.unreadPage?.description
    // The first document may be unchanged although a further page, or a document that it links to, has changed.
    outcome.hasLinks = documents.hasLinks
    outcome.state.isCut = budget.excess != nil || isTruncated
    // A later reading may have other limits.
    if outcome.hasLinks || documents.hasFurtherPages || outcome.state.isCut {
      outcome.state.validator = Validator()
    }
    return outcome
  }

  /// Whether the error concerns one document, so that others can still be read.
  private static func isOfDocument(_ error: any Error) -> Bool {
    guard !Task.isCancelled, let error = error as? LibraryError else { return false }
    return [.source, .policy, .network, .tls].contains(error.code)
  }

  /// Returns the problem that a further page of the source's first document cannot be read.
  private static func problem(
    of page: DocumentQueue.Document, _ error: any Error
  ) -> String {
    let cause = LibraryError.wrapping(error).detail
    guard case .url(let url) = page.location else { return cause }
    // After a redirect, the error names the URL that has answered.
    let place = cause.contains(url.description) ? "" : "\(url): "
    return "\(place)\(cause); the pages of the list from there on are not read"
  }

  /// Returns the party that named a document: the user the first one, other documents the others.
  private func origin(
    of document: DocumentQueue.Document, _ extent: Extent, _ state: SourceState
  ) -> RequestOrigin {
    if extent.isNamedByPublicPage || state.isPublic { return .publicPage }
    return document.isFirst && !extent.isFurtherPage ? .sourceOfUser : .privateList
  }

  /// Reads a document and closes it.
  /// - Parameter findings: Contains the known layout of the document's text, and receives the layout and what the
  ///   document names, also before an error.
  private func read(
    _ source: SpooledSource, _ document: DocumentQueue.Document, _ request: SourceRequest,
    _ expected: ExpectedDocument, into target: any ImportTarget, _ findings: inout Findings,
    _ budget: inout SourceBudget
  ) async -> Result<Void, any Error> {
    do {
      try await readEntries(
        source, document, request, expected, into: target, &findings, &budget)
      await fetcher.close(source)
      return .success(())
    } catch {
      await fetcher.close(source, isUnread: Task.isCancelled)
      return .failure(error)
    }
  }

  private static func state(_ source: SpooledSource) -> SourceState {
    SourceState(
      validator: source.url == nil ? Validator() : source.validator,
      isPublic: source.url.map { isPublic($0, source.remoteAddress) } ?? false)
  }

  /// Returns whether the source came from a public address. A host name counts as public if the transport
  /// does not report the address.
  private static func isPublic(_ url: HTTPURL, _ address: String?) -> Bool {
    IPAddress(address ?? url.host)?.isPublic ?? (url.host != "localhost")
  }

  /// Reads one document of a source into the target.
  private func readEntries(
    _ source: SpooledSource, _ document: DocumentQueue.Document, _ request: SourceRequest,
    _ expected: ExpectedDocument, into target: any ImportTarget, _ findings: inout Findings,
    _ budget: inout SourceBudget
  ) async throws {
    let channel = ImportChannel()
    let name = source.url?.description ?? request.name
    let reader = ManifestReading(
      source: source, name: name, form: request.form, layout: findings.layout,
      expected: expected, archive: archive, markup: markup, limits: limits, channel: channel)
    let kind = try await reading.run { try reader.kind() }
    findings.format = kind.format.map { ContentFormat($0) }
    guard kind != .resource else {
      guard !document.isLinked else { throw LibraryError(.source, "\(name): this is not a list") }
      return try await target.adoptAsResource(
        source, title: ManifestTitle.title(forFileName: name))
    }
    guard kind == .archiveOfLists || budget.admit(bytes: source.byteCount) else {
      throw SourceExcess()
    }
    async let done: Void = reading.run { try reader.run(kind) }
    findings.nextPage = LinkHeader.next(in: source.fields)
    do {
      for await message in channel.messages {
        switch message {
        case .record(let title, let key): try await target.beginList(title: title, key: key)
        // A further page belongs to the record of the first page.
        case .title(let title):
          if document.beginsRecord { try await target.beginList(title: title) }
        case .entries(let all):
          let entries = kind == .markup(.sitemap) ? budget.firstMentions(all) : all
          let kept = budget.admit(entries: entries.count)
          if kept > 0 { try await target.append(Array(entries.prefix(kept))) }
          if kept < entries.count { throw SourceExcess() }
        case .problems(let problems, let count):
          await target.report(problems: problems, count: count)
          budget.admit(problems: count)
        case .nextPage(let page): findings.nextPage = page
        case .document(let link, let relation):
          findings.add(link, relation)
        case .excess(let reason):
          findings.isTruncated = true
          if !budget.noteExcess() {
            await target.report(problem: "\(reason); the rest of the document is not read")
          }
        case .format(let format):
          findings.format = format
          if document.isFirst { await target.noteFormat(format.format) }
        case .layout(let layout): findings.layout = layout
        case .imagelessPage:
          // A page that another document links to may be without images. A page of a list without any, and without a
          // further page, is rather an error page than the end of the list.
          if !document.isLinked, findings.nextPage == nil {
            throw LibraryError(.source, "\(name): no images were found in this web page")
          }
        }
        channel.releaseSlot()
      }
      // If the task is cancelled, the stream of messages ends early, as it does at the end of a list.
      try Task.checkCancellation()
    } catch {
      channel.cancel()
      _ = try? await done
      throw error
    }
    try await done
  }

  /// The entries of the source exceed its budget.
  private struct SourceExcess: Error {}

  private static func seriesURL(_ base: HTTPURL) throws -> HTTPURL {
    guard !base.path.hasSuffix("/series") else { return base }
    let slash = base.path.hasSuffix("/") ? "" : "/"
    return HTTPURL(origin: base.origin, target: "\(base.path)\(slash)series")
  }
}
