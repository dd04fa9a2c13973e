import LibraryAPI
import Manifests
import Models
import Persistence
import Testing

@testable import Engine

/// The state of reading a source decides which document is next, and which errors end the reading.
@Suite("The progress of a source")
struct SourceProgressTests {
  private static let base = "http://example.org/"

  private static func progress(
    _ extent: SourceImport.Extent = SourceImport.Extent(),
    format: ManifestFormat? = nil, limits: Settings.Limits = Settings().limits
  ) throws -> SourceProgress {
    let request = SourceRequest(location: .url(try HTTPURL(base + "a")), format: format)
    return SourceProgress(request, extent, limits, at: 0)
  }

  private static func next(_ progress: inout SourceProgress) throws -> DocumentQueue.Document {
    let document = progress.next()
    return try #require(document)
  }

  /// Reads the next document, which names a further page and other documents.
  @discardableResult
  private static func read(
    _ progress: inout SourceProgress, page: String? = nil, links: [String] = [],
    format: ContentFormat? = nil, isPublic: Bool = false
  ) throws -> DocumentQueue.Document {
    let document = try next(&progress)
    guard case .url(let url) = document.location else { return document }
    let state = SourceState(
      validator: Validator(entityTag: EntityTag("\"1\"")), isPublic: isPublic)
    let isNew = progress.noteOpened(document, at: url, state)
    #expect(isNew)
    var findings = DocumentFindings(layout: progress.layout(of: document))
    findings.nextPage = page
    findings.format = format
    for link in links { _ = findings.add(link, .record) }
    progress.noteFindings(findings, in: document, at: url)
    progress.noteEnd(of: document, at: 0)
    return document
  }

  @Test("The validator of a source of one document is kept, and that of several is not")
  func validators() throws {
    var single = try Self.progress()
    try Self.read(&single)
    let second = single.next()
    #expect(second == nil)
    single.finish()
    #expect(single.outcome.state.validator.entityTag == EntityTag("\"1\""))
    var paged = try Self.progress()
    try Self.read(&paged, page: "a2")
    try Self.read(&paged)
    paged.finish()
    #expect(paged.outcome.state.validator == Validator())
  }

  @Test("An error of the first document ends the reading, one of a further page ends the pages")
  func errorsOfPages() throws {
    let error = LibraryError(.source, "status 500")
    var progress = try Self.progress()
    let first = try Self.next(&progress)
    #expect(throws: LibraryError.self) {
      try progress.noteError(error, of: first, isCancelled: false)
    }
    progress = try Self.progress()
    try Self.read(&progress, page: "a2", links: ["b"])
    let page = try Self.next(&progress)
    try progress.noteError(error, of: page, isCancelled: false)
    progress.noteEnd(of: page, at: 0)
    let linked = try Self.next(&progress)
    try progress.noteError(error, of: linked, isCancelled: false)
    progress.noteEnd(of: linked, at: 0)
    let further = progress.next()
    #expect(further == nil)
    progress.finish()
    #expect(progress.outcome.state.nextPage == Self.base + "a2")
    let problems = progress.takeProblems()
    #expect(
      problems == [
        "\(Self.base)a2: status 500; the pages of the list from there on are not read",
        error.description,
      ])
  }

  @Test(
    "Errors that concern more than one document, and those of a cancelled task, end the reading")
  func fatalErrors() throws {
    var progress = try Self.progress()
    try Self.read(&progress, page: "a2")
    let page = try Self.next(&progress)
    #expect(throws: LibraryError.self) {
      try progress.noteError(LibraryError(.io, "disk"), of: page, isCancelled: false)
    }
    #expect(throws: LibraryError.self) {
      try progress.noteError(LibraryError(.source, "status 500"), of: page, isCancelled: true)
    }
  }

  @Test("A source that exceeds a limit is continued at the page that exceeded it")
  func excess() throws {
    var limits = Settings().limits
    limits.manifestEntries = 1
    var progress = try Self.progress(limits: limits)
    try Self.read(&progress, page: "a2", links: ["b"])
    let page = try Self.next(&progress)
    let kept = progress.budget.admit(entries: 2)
    #expect(kept == 1)
    try progress.noteError(SourceExcess(), of: page, isCancelled: false)
    progress.noteEnd(of: page, at: 0)
    let further = progress.next()
    #expect(further == nil)
    progress.finish()
    #expect(progress.outcome.state.isCut)
    #expect(progress.outcome.state.nextPage == Self.base + "a2")
    let problems = progress.takeProblems()
    #expect(problems.count == 1)
  }

  @Test("Further pages must have the format of the first document, and linked documents need not")
  func formats() throws {
    var progress = try Self.progress()
    try Self.read(&progress, page: "a2", links: ["b"], format: ContentFormat(.listing))
    let page = try Self.read(&progress)
    #expect(progress.expected(of: page).format == ContentFormat(.listing))
    let linked = try Self.read(&progress)
    #expect(progress.expected(of: linked).format == nil)
    #expect(progress.outcome.state.format == ContentFormat(.listing).text)
  }

  @Test("The user names the first document, and a page from a public address names the others")
  func origins() throws {
    var progress = try Self.progress()
    let request = SourceRequest(location: .url(try HTTPURL(Self.base + "a")))
    let first = DocumentQueue.Document(location: request.location)
    #expect(progress.origin(of: first) == .sourceOfUser)
    try Self.read(&progress, page: "a2", isPublic: true)
    let page = try Self.next(&progress)
    #expect(progress.origin(of: page) == .publicPage)
    var extent = SourceImport.Extent()
    extent.isFurtherPage = true
    #expect(try Self.progress(extent).origin(of: first) == .privateList)
  }

  @Test("A linked document that redirects to a known one is not read a second time")
  func redirects() throws {
    var progress = try Self.progress()
    try Self.read(&progress, links: ["b"])
    let linked = try Self.next(&progress)
    let isNew = progress.noteOpened(linked, at: try HTTPURL(Self.base + "a"), SourceState())
    #expect(!isNew)
  }
}
