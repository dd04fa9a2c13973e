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
    /// Whether a document ends before it is complete.
    var endsEarly = false
    var state = SourceState()
  }

  @concurrent
  func run(
    _ request: SourceRequest, _ extent: Extent = Extent(), into target: any ImportTarget
  ) async throws -> Outcome {
    var progress = SourceProgress(request, extent, limits, at: fetcher.clock.now())
    while let document = progress.next() {
      do {
        guard let source = try await open(document, request, progress) else {
          progress.noteUnchanged()
          return progress.outcome
        }
        guard progress.noteOpened(document, at: source.url, Self.state(source)) else {
          await fetcher.close(source)
          continue
        }
        var findings = DocumentFindings(layout: progress.layout(of: document))
        let reading = DocumentReading(
          source: source, document: document, request: request, form: progress.form(of: document),
          expected: progress.expected(of: document), archive: archive, markup: markup,
          limits: limits, reading: reading)
        let result = await read(reading, into: target, &findings, &progress.budget)
        progress.noteFindings(findings, in: document, at: source.url)
        try result.get()
        progress.noteRead(document, at: fetcher.clock.now())
      } catch {
        try progress.noteError(error, of: document, isCancelled: Task.isCancelled)
      }
      progress.noteEnd(of: document, at: fetcher.clock.now())
      for problem in progress.takeProblems() { await target.report(problem: problem) }
    }
    progress.finish()
    for problem in progress.takeProblems() { await target.report(problem: problem) }
    return progress.outcome
  }

  /// Requests a document, and opens it.
  /// - Returns: nil if the source is unchanged.
  private func open(
    _ document: DocumentQueue.Document, _ request: SourceRequest, _ progress: SourceProgress
  ) async throws -> SpooledSource? {
    let origin = progress.origin(of: document)
    let admission =
      document.isLinked && robots.isObeyed
      ? DocumentAdmission(
        robots: robots, origin: origin, sourceOrigin: fetcher.terms.scope.origin,
        whenWaiting: fetcher.reportWait)
      : nil
    let began = fetcher.clock.now()
    if case .url(let url) = document.location { try await admission?.admit(url) }
    // The time between requests that a site wants does not count.
    let waited = fetcher.clock.now() - began
    return try await fetcher.open(
      document.location, unless: progress.knownValidator,
      format: progress.form(of: document).format,
      namedBy: origin, redirects: admission,
      until: progress.deadline(of: document).map { $0 + waited })
  }

  /// Reads a document and closes it.
  private func read(
    _ reading: DocumentReading, into target: any ImportTarget,
    _ findings: inout DocumentFindings, _ budget: inout SourceBudget
  ) async -> Result<Void, any Error> {
    do {
      try await reading.run(into: target, &findings, &budget)
      await fetcher.close(reading.source)
      return .success(())
    } catch {
      await fetcher.close(reading.source, isUnread: Task.isCancelled)
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
}
