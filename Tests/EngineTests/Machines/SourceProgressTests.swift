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
    format: ContentFormat? = nil, isPublic: Bool = false, at now: Double = 0
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
    progress.noteRead(document, at: now)
    progress.noteEnd(of: document, at: now)
    return document
  }

  @Test("Pages without news end the list after a time, and those of a linked document by number")
  func endlessPages() throws {
    var limits = Settings().limits
    limits.sourceSeconds = 300
    var progress = try Self.progress(limits: limits)
    try Self.read(&progress, page: "?1", links: ["b"])
    // A link to a document that is known is no news.
    try Self.read(&progress, page: "?2", links: ["b"], at: 200)
    try Self.read(&progress, page: "?3", at: 299)
    #expect(progress.budget.excess == nil)
    try Self.read(&progress, page: "?4", at: 301)
    #expect(progress.budget.excess?.contains("limits.sourceSeconds") == true)

    progress = try Self.progress()
    try Self.read(&progress, links: ["b/", "c"])
    for number in 0...RefreshStage.maximumKnownPages {
      try Self.read(&progress, page: "?\(number)")
    }
    let next = try Self.next(&progress)
    #expect(next.location == .url(try HTTPURL(Self.base + "c")) && next.page == 0)
    #expect(progress.takeProblems().contains { $0.contains("100 pages before this one") })
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
    // An excess elsewhere names the source.
    limits.sourceSeconds = 1
    progress = try Self.progress(limits: limits)
    try Self.read(&progress, links: ["b"])
    progress.budget.check(at: 1)
    progress.finish()
    #expect(progress.takeProblems().allSatisfy { $0.hasPrefix(Self.base + "a: no document ") })
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

  @Test(
    "A page that ends early is the next one to read, also the first one; its validator is not kept")
  func truncation() throws {
    for page in [nil, "a2"] {
      var progress = try Self.progress()
      if let page { try Self.read(&progress, page: page) }
      let document = try Self.next(&progress)
      guard case .url(let url) = document.location else { continue }
      let state = SourceState(validator: Validator(entityTag: EntityTag("\"1\"")))
      _ = progress.noteOpened(document, at: url, state)
      var findings = DocumentFindings(layout: nil)
      findings.isTruncated = true
      findings.endsEarly = true
      findings.nextPage = "a3"
      _ = findings.add("b", .record)
      progress.noteFindings(findings, in: document, at: url)
      progress.noteEnd(of: document, at: 0)
      // The documents that it has named are read all the same.
      #expect(try Self.next(&progress).isLinked)
      let further = progress.next()
      #expect(further == nil)
      progress.finish()
      #expect(progress.outcome.endsEarly && progress.outcome.state.isCut)
      #expect(progress.outcome.state.nextPage == Self.base + (page ?? "a"))
      #expect(progress.outcome.state.validator == Validator())
    }
  }

  @Test(
    "A document that a sitemap, listing, bucket or IIIF document links to must be a part of one",
    arguments: [
      (.sitemap, [.sitemap, .feed, .text, .csv]), (.listing, [.listing, .html]),
      (.bucket, [.bucket]), (.iiif, [.iiif]), (.json, [.json, .html, .feed]),
    ] as [(ManifestFormat, [ManifestFormat])])
  func linkedFormats(_ parent: ManifestFormat, _ accepted: [ManifestFormat]) throws {
    var progress = try Self.progress()
    try Self.read(&progress, links: ["b"], format: ContentFormat(parent))
    let expected = progress.expected(of: try Self.next(&progress))
    #expect(expected.hasContent == (parent != .json))
    for format in accepted { try expected.check(ContentFormat(format), name: "b") }
    guard parent != .json else { return }
    let others = [
      ContentFormat(.json, isNameMap: true), ContentFormat(.json), ContentFormat(.metalink),
    ]
    for format in others {
      let error = #expect(throws: LibraryError.self) { try expected.check(format, name: "b") }
      #expect(
        error?.detail
          == "b: the content has the format \"\(format.text)\", and cannot be a part of the "
          + "\"\(parent.rawValue)\" that links to it")
    }
  }

  @Test("A page that redirects to an earlier one is not read, and ends the list")
  func repeatedPage() throws {
    var progress = try Self.progress()
    try Self.read(&progress, page: "a2")
    let page = try Self.next(&progress)
    let isNew = progress.noteOpened(page, at: try HTTPURL(Self.base + "a"), SourceState())
    #expect(!isNew)
    let further = progress.next()
    #expect(further == nil)
    progress.finish()
    #expect(progress.outcome.state.nextPage == nil)
    let problems = progress.takeProblems()
    #expect(
      problems == [
        "\(Self.base)a2: redirects to \(Self.base)a, so that the pages of this list form a loop"
      ])
  }

  @Test("A page that redirects to a linked document is read as the page")
  func redirectedPage() throws {
    var progress = try Self.progress()
    try Self.read(&progress, page: "a2", links: ["b"])
    let page = try Self.next(&progress)
    let isNew = progress.noteOpened(page, at: try HTTPURL(Self.base + "b"), SourceState())
    #expect(isNew)
    let further = progress.next()
    #expect(further == nil)
  }

  @Test("Every document but the one that the user named must be received in time")
  func deadlines() throws {
    var limits = Settings().limits
    limits.sourceSeconds = 7
    var progress = try Self.progress(limits: limits)
    let first = try Self.read(&progress, page: "a2", links: ["b"])
    #expect(progress.deadline(of: first) == nil)
    progress.budget.progressed(at: 3)
    for _ in 1...2 {
      let document = try Self.next(&progress)
      #expect(progress.deadline(of: document) == 10)
    }
    var extent = SourceImport.Extent()
    extent.isFurtherPage = true
    #expect(try Self.progress(extent, limits: limits).deadline(of: first) == 7)
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
