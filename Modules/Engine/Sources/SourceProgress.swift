import HTTP1
import LibraryAPI
import Manifests
import Models
import Persistence

/// The state of reading the documents of one source: which document is next, what is known of the source, and which
/// errors end the reading. A value that reads nothing.
struct SourceProgress: Sendable {
  /// The result of reading the source so far.
  private(set) var outcome = SourceImport.Outcome()
  var budget: SourceBudget
  private let extent: SourceImport.Extent
  private var documents: DocumentQueue
  private var refused = RefusedDocuments()
  private var problems: [String] = []
  private var layout: RecordedLayout?
  private var expected: ExpectedDocument
  private let isFormatCompared: Bool
  private let form: SourceForm
  /// The name of the source in messages.
  private let name: String
  private var isFirst = true
  private var isTruncated = false
  /// The last further page that was read.
  private var lastPage: DocumentQueue.Document?

  init(
    _ request: SourceRequest, _ extent: SourceImport.Extent, _ limits: Settings.Limits,
    at now: Double
  ) {
    self.extent = extent
    name = request.name
    form = request.form
    budget = SourceBudget(limits, at: now)
    documents = DocumentQueue(
      Self.location(of: request), pages: extent.pages, depth: limits.sourceDepth)
    layout = extent.knownLayout
    expected = extent.expected
    // The user has decided about the format, but not about the shape of JSON.
    isFormatCompared = request.format == nil || request.format == .json
    if !isFormatCompared { expected.format = nil }
  }

  private static func location(of request: SourceRequest) -> SourceRequest.Location {
    guard request.format == .series, case .url(let base) = request.location,
      !base.path.hasSuffix("/series")
    else { return request.location }
    let slash = base.path.hasSuffix("/") ? "" : "/"
    return .url(HTTPURL(origin: base.origin, target: "\(base.path)\(slash)series"))
  }

  /// The name for display of the first document of a source.
  static func documentName(of request: SourceRequest) -> String {
    if case .url(let url) = location(of: request) { url.description } else { request.name }
  }

  /// Returns the next document to read; nil after the last one, and when a limit of the source is exceeded.
  mutating func next() -> DocumentQueue.Document? {
    budget.excess == nil ? documents.next() : nil
  }

  /// The party that named a document: the user the first one, other documents the others.
  func origin(of document: DocumentQueue.Document) -> RequestOrigin {
    if extent.isNamedByPublicPage || outcome.state.isPublic { return .publicPage }
    return document.isFirst && !extent.isFurtherPage ? .sourceOfUser : .privateList
  }

  /// The validator with which the server may answer that the next document, and thereby the source, is unchanged.
  var knownValidator: Validator { isFirst ? extent.knownValidator : Validator() }

  /// The time until which a document must have been received; nil for the one that the user named, which may be large.
  func deadline(of document: DocumentQueue.Document) -> Double? {
    document.isFirst && !extent.isFurtherPage ? nil : budget.deadline
  }

  mutating func noteUnchanged() { outcome.isUnchanged = true }

  /// Notes the answer to the request of a document.
  /// - Parameters:
  ///   - url: The URL that has delivered the document; nil for a file.
  ///   - state: The properties of the answer.
  /// - Returns: false if the document redirects to one that has been read or is to be read.
  mutating func noteOpened(
    _ document: DocumentQueue.Document, at url: HTTPURL?, _ state: SourceState
  ) -> Bool {
    if isFirst { outcome.state = state }
    outcome.state.isPublic = outcome.state.isPublic || state.isPublic
    guard document.isLinked || document.page > 0, let url else { return true }
    defer { problems += documents.takeProblems() }
    return documents.redirect(document, to: url)
  }

  /// The properties that a document must have to be read as a part of the source.
  func expected(of document: DocumentQueue.Document) -> ExpectedDocument {
    guard !document.isLinked else { return ExpectedDocument(linkedFrom: document.linkedFrom) }
    var expected = self.expected
    expected.isFurtherPage = isFurtherPage(document)
    return expected
  }

  private func isFurtherPage(_ document: DocumentQueue.Document) -> Bool {
    !document.isLinked && (document.page > 0 || extent.isFurtherPage)
  }

  /// The format and the columns that the user demands for a document. The pages of a list in an archive are no archives.
  func form(of document: DocumentQueue.Document) -> SourceForm {
    form.format == .zip && isFurtherPage(document) ? SourceForm() : form
  }

  /// The layout of a document's text, if it is known. Further pages of a text are read as the first one.
  func layout(of document: DocumentQueue.Document) -> RecordedLayout? {
    document.isLinked ? nil : layout
  }

  /// Notes what was found in a document, also before an error in it.
  mutating func noteFindings(
    _ findings: DocumentFindings, in document: DocumentQueue.Document, at url: HTTPURL?
  ) {
    isTruncated = isTruncated || findings.isTruncated
    let linkedCount = documents.linkedCount
    documents.add(
      from: document, at: url, findings.format?.format, nextPage: findings.nextPage,
      listPages: findings.listPages, links: findings.links)
    if !document.isLinked { layout = findings.layout }
    noteNews(in: document, hasLinks: documents.linkedCount > linkedCount)
    if isFirst {
      outcome.state.layout = layout?.text
      outcome.state.format = findings.format?.text
      expected.hasContent = true
      if isFormatCompared { expected.format = expected.format ?? findings.format }
    }
    // A page that ends early is read again, because its rest, and what follows it, is missing.
    outcome.endsEarly = outcome.endsEarly || findings.endsEarly
    if findings.endsEarly || findings.isTruncated && budget.excess != nil {
      documents.fail(document)
    }
  }

  /// Ends a list if too many pages in a row have nothing new.
  /// - Parameter hasLinks: Whether the document links to documents that were not known before.
  private mutating func noteNews(in document: DocumentQueue.Document, hasLinks: Bool) {
    budget.pages.endDocument(document, hasLinks: hasLinks)
    let count = budget.pages.knownPageCount
    guard document.page > 0, count >= RefreshStage.maximumKnownPages,
      let next = document.isLinked ? documents.leaveLinkedPage() : documents.leavePage()
    else { return }
    problems.append(
      "\(next): the \(count) pages before this one have nothing new; the pages of the list from there on are not read"
    )
  }

  /// Notes that a document was read to its end. A page without news is no progress, so that the time of a list whose
  /// pages never end is bounded, too.
  mutating func noteRead(_ document: DocumentQueue.Document, at now: Double) {
    if document.page == 0 || budget.pages.knownPageCount == 0 { budget.progressed(at: now) }
  }

  /// Notes that a document could not be read.
  /// - Throws: The error if it ends the reading of the source.
  mutating func noteError(
    _ error: any Error, of document: DocumentQueue.Document, isCancelled: Bool
  ) throws {
    switch error {
    case is SourceExcess:
      // The entries within the limits are still useful; the excess is reported at the end.
      documents.fail(document)
    case let refusal as DocumentRefusal:
      if let problem = refused.add(refusal) { problems.append(problem) }
    case let error as LibraryError where !isCancelled && Self.concernsDocument(error):
      if document.isLinked {
        // The other documents of the source are still useful.
        problems.append(error.description)
      } else if document.page > 0 {
        // The pages before are still useful, and the pages from here on can be read another time.
        documents.fail(document)
        problems.append(Self.problem(of: document, error))
      } else {
        throw error
      }
    default: throw error
    }
  }

  /// Whether the error concerns one document, so that others can still be read.
  static func concernsDocument(_ error: LibraryError) -> Bool {
    [.source, .policy, .network, .tls].contains(error.code)
  }

  /// Returns the problem that a further page of the source's first document cannot be read.
  private static func problem(of page: DocumentQueue.Document, _ error: LibraryError) -> String {
    let cause = error.detail
    guard case .url(let url) = page.location else { return cause }
    // After a redirect, the error names the URL that has answered.
    let place = cause.contains(url.description) ? "" : "\(url): "
    return "\(place)\(cause); the pages of the list from there on are not read"
  }

  /// Notes that the attempt at a document has ended, well or not.
  mutating func noteEnd(of document: DocumentQueue.Document, at now: Double) {
    problems += documents.takeProblems()
    isFirst = false
    // The document that the user named needs no name in the report of the excess.
    if document.page > 0 || extent.isFurtherPage { lastPage = document }
    if documents.isUnfinished { budget.check(at: now) }
  }

  /// Notes that no further document is read.
  mutating func finish() {
    problems += refused.summaries
    if budget.excess != nil {
      let cut = documents.unreadPage.flatMap { lastPage?.location == .url($0) ? $0 : nil }
      let problem = budget.problem(unread: documents.unread, cutPage: cut)
      problems.append(cut == nil ? "\(name): \(problem)" : problem)
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
  }

  /// Returns the problems since the last call, as sentences for users.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }
}
