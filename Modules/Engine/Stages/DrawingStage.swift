import LibraryAPI
import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Threading

/// Makes images when a user requests them: renders pages of documents, and unlocks encrypted documents and
/// archives. A password is passed only to the confined decoders, and stored nowhere; the images are
/// ordinary files of the cache.
final class DrawingStage: Stage {
  private(set) var shared = SharedDrawings()
  /// The archives whose pages are being extracted again.
  private var extractions: [Extraction: Task<Void, any Error>] = [:]

  private struct Extraction: Hashable {
    let resource: ResourceID
    /// The password of an encrypted archive. A wrong one fails its own callers only.
    let password: String?
  }

  /// Makes the images of a page whose files are missing or not whole: the page image and the thumbnail of a page of a
  /// document, the rendition of an image in a format that browsers do not show (`BrowserImage`), the thumbnail of
  /// another image, or the pages of an archive, which are extracted again together.
  /// - Parameters:
  ///   - number: The number of the page, from 1.
  ///   - password: The password of an encrypted document.
  /// - Throws: `.source` if the page does not exist or cannot be rendered; `.encrypted` if a password is
  ///   needed or the given one is wrong.
  func draw(
    page number: Int, of id: ResourceID, password: DocumentPassword?
  ) async throws {
    do {
      guard let resource = try store.resource(id), let record = try store.record(resource.record),
        let page = try await page(number, of: resource)
      else { throw LibraryError(.source, "resource \(id) has no page \(number) to render") }
      if let reason = page.reason, !page.hasImage {
        throw LibraryError(.source, "page \(number): \(reason)")
      }
      let maker = pages.maker(for: record, password)
      var plan = try await plan(for: page, of: resource, record, maker)
      if case .extraction(let file) = plan {
        try await extractAgain(resource, file, record, maker, page)
        // The settings may name other thumbnails than those of the earlier extraction.
        let page = try await self.page(number, of: resource) ?? page
        plan = try await self.plan(for: page, of: resource, record, maker)
      }
      switch plan {
      case .nothing: return
      case .drawing(let drawing): try await share(drawing, of: id)
      case .extraction: throw Self.isEvicted(page)
      }
      commits.evictIfNeeded()
    } catch let error as RenderError {
      throw LibraryError(
        error.code == .encrypted ? .encrypted : .source, "page \(number): \(error.detail)")
    }
  }

  private func page(_ number: Int, of resource: Resource) async throws -> Page? {
    resource.hasRemotePages
      ? try await stages.remotePages.page(number, of: resource.id, withThumbnail: false)
      : try store.pages(of: resource.id).first { $0.number == number }
  }

  /// The work that makes the images of a page.
  private enum Plan {
    /// The images exist, or the page is shown from the original.
    case nothing
    case drawing(PageDrawing)
    /// The image is in an archive, from which it must be extracted.
    case extraction(StoredFile)
  }

  /// - Throws: `.source` if an image is in an archive that is not downloaded, and was evicted.
  private func plan(
    for page: Page, of resource: Resource, _ record: Record, _ maker: PageMaker
  ) async throws -> Plan {
    let original = resource.file.map { layout.original($0, in: record) }
    let isTurned = try await isTurned(page, of: resource, original)
    guard let target = target(page, of: resource, isTurned: isTurned) else { return .nothing }
    let isRendered = resource.file.map { page.isRendered(from: $0.format) } ?? false
    let extracted = isRendered ? nil : page.file
    guard let source = extracted.map({ layout.rendition($0) }) ?? original else { return .nothing }
    let drawing = PageDrawing(
      maker: maker, target: target, source: source, original: extracted == nil ? resource.file : nil
    )
    let check = try renditionCheck(of: drawing.names + page.fileNames)
    let (isDone, hasSource) = try await disk.run {
      (drawing.isDone(check), extracted.map { check.isWhole($0) } ?? true)
    }
    if isDone, hasSource { return .nothing }
    if extracted == nil { return .drawing(drawing) }
    if case .browserImage = target, hasSource { return .drawing(drawing) }
    guard let file = resource.file, file.format.kind == .archive else {
      throw Self.isEvicted(page)
    }
    return .extraction(file)
  }

  /// Whether the page's own image is a WebP that browsers do not turn.
  private func isTurned(_ page: Page, of resource: Resource, _ original: String?) async throws
    -> Bool
  {
    guard BrowserImage(page, of: resource.file) == nil,
      BrowserImage(page, of: resource.file, isTurned: true) != nil,
      let path = page.file.map({ layout.rendition($0) }) ?? original
    else { return false }
    return try await disk.run { [layout] in
      guard let file = try? layout.folder.open(path) else { return false }
      return TurnedWebP.isTurned(file)
    }
  }

  private func target(
    _ page: Page, of resource: Resource, isTurned: Bool
  ) -> PageDrawing.Target? {
    if let image = BrowserImage(page, of: resource.file, isTurned: isTurned) {
      return .browserImage(image)
    }
    if page.file != nil { return .page(page) }
    return settings.rendering.thumbnails ? page.thumbnail.map { .thumbnail(name: $0) } : nil
  }

  private static func isEvicted(_ page: Page) -> LibraryError {
    LibraryError(
      .source,
      "page \(page.number): evicted from the cache, which does not hold all pages of its archive")
  }

  // MARK: - Pages of archives

  /// Extracts the pages of an archive again; callers that want several of them share the extraction.
  private func extractAgain(
    _ resource: Resource, _ file: StoredFile, _ record: Record, _ maker: PageMaker, _ page: Page
  ) async throws {
    let key = Extraction(resource: resource.id, password: maker.password?.text)
    if let task = extractions[key] { return try await task.value }
    // The page stage extracts the pages of other archives, and those of this one soon.
    guard resource.state.isSettled else {
      throw LibraryError(.source, "page \(page.number): its archive is being extracted; try again")
    }
    // Pages beyond the limit of the cache would be evicted and made again without end.
    let count = try store.pages(of: resource.id).reduce(0) { $0 + $1.fileNames.count }
    guard count <= settings.cache.count, file.byteCount <= Int64(settings.cache.bytes) else {
      throw Self.isEvicted(page)
    }
    let task = Task { @concurrent [engine = stages.engine] in
      do {
        let result = try await maker.make(resource, file: file, record: record)
        try await engine.run { try await $0.drawings.extracted(result, of: resource) }
        await engine.run { $0.drawings.extractions[key] = nil }
      } catch {
        await engine.run { $0.drawings.extractions[key] = nil }
        throw error
      }
    }
    extractions[key] = task
    try await task.value
  }

  private func extracted(_ result: PageMaker.Result, of resource: Resource) async throws {
    if result.isEncrypted {
      throw LibraryError(.encrypted, "resource \(resource.index): \(result.reason ?? "")")
    }
    guard !result.isMissing, !result.pages.isEmpty else {
      throw LibraryError(
        .source, "resource \(resource.index): \(result.reason ?? "its file is gone")")
    }
    // The content is that of the earlier extraction, whose reason may have remarks about the download.
    var result = result
    result.isFailure = resource.state == .failed
    result.reason = resource.reason
    try await commitPages(result, of: resource)
  }

  // MARK: - Drawings in progress

  /// Returns when the images are drawn, by a drawing that other callers may have begun.
  private func share(_ drawing: PageDrawing, of id: ResourceID) async throws {
    let key = SharedDrawings.Key(drawing, of: id)
    let caller = shared.newNumber()
    try await stages.engine.suspend {
      $0.drawings.add(caller, to: key, drawing, of: id, $1)
    } cancel: {
      $0.drawings.shared.cancel(caller, of: key)
    }
  }

  private func add(
    _ caller: SharedDrawings.Number, to key: SharedDrawings.Key, _ drawing: PageDrawing,
    of id: ResourceID, _ continuation: SharedDrawings.Continuation
  ) {
    shared.add(caller, to: key, continuation) { number in
      Task { @concurrent [engine = stages.engine] in
        let result: Result<Void, any Error>
        do {
          let page = try await drawing.run {
            try await engine.run { try await $0.drawings.hasOriginal(of: drawing, id) }
          }
          if let page {
            try await engine.run { try await $0.drawings.replace(page, of: drawing, id) }
          }
          result = .success(())
        } catch {
          result = .failure(error)
        }
        await engine.run { $0.drawings.shared.end(number, of: key, with: result) }
      }
    }
  }

  /// Whether the original that is drawn is still that of the resource, according to the rows of all files that have
  /// their names.
  private func hasOriginal(of drawing: PageDrawing, _ id: ResourceID) async throws -> Bool {
    guard let original = drawing.original else { return true }
    await commits.flush()
    return try store.resource(id)?.file == original
  }

  /// Stores what is unusual about a drawn page, or that nothing is: pages behind the first one are drawn only when a viewer
  /// shows them, and an earlier drawing may have failed.
  private func replace(_ page: Page, of drawing: PageDrawing, _ id: ResourceID) async throws {
    guard let original = drawing.original else { return }
    await commits.flush()
    guard let resource = try store.resource(id), resource.file == original,
      resource.state == .finished || resource.state == .failed
    else { return }
    var pages = try store.pages(of: id)
    guard let index = pages.firstIndex(where: { $0.number == page.number }),
      (pages[index].reason, pages[index].remark) != (page.reason, page.remark)
    else { return }
    pages[index] = page
    let change: ResourceChange =
      resource.state == .failed
      ? .failed(id, reason: resource.reason ?? "", pages: pages)
      : .finished(id, pages: pages, reason: resource.reason)
    commits.add(.pages(resource, change))
    await commits.flush()
  }

  func cancelAll() {
    shared.cancelAll()
    for task in extractions.values { task.cancel() }
  }

  /// Returns when no images are being made.
  func endAll() async {
    while let task = shared.anyTask { await task.value }
    while let task = extractions.values.first { _ = await task.result }
  }

  /// Renders an encrypted document or archive as if its download had just ended: all images of an archive,
  /// the first page of a document.
  /// - Throws: `.encrypted` for a wrong password, which only the reason of the resource then states; `.source` if the
  ///   resource is not a document or archive, or is damaged.
  func unlock(
    _ id: ResourceID, with password: DocumentPassword
  ) async throws {
    guard let resource = try store.resource(id), let file = resource.file,
      let record = try store.record(resource.record), Self.canBeUnlocked(resource)
    else {
      throw LibraryError(.source, "resource \(id) is not a downloaded document or archive")
    }
    let result = try await pages.maker(for: record, password)
      .make(resource, file: file, record: record)
    if result.isEncrypted {
      try await rejectPassword(result, of: resource)
      throw LibraryError(.encrypted, "resource \(resource.index): \(result.reason ?? "")")
    }
    guard !result.isMissing, !result.pages.isEmpty else {
      throw LibraryError(
        .source, "resource \(resource.index): \(result.reason ?? "its file is gone")")
    }
    try await commitPages(result, of: resource)
  }

  /// Replaces the reason of a resource that waits for a password by the one that the given password is wrong.
  private func rejectPassword(_ result: PageMaker.Result, of resource: Resource) async throws {
    guard resource.needsPassword, result.isFailure, let reason = result.reason else { return }
    var result = result
    result.reason = reason + Resource.passwordHint
    guard result.reason != resource.reason else { return }
    try await commitPages(result, of: resource)
  }

  private static func canBeUnlocked(_ resource: Resource) -> Bool {
    guard let kind = resource.file?.format.kind else { return false }
    return (kind == .document || kind == .archive) && resource.state.isSettled
  }

  /// Commits the pages, and returns when the store contains them.
  private func commitPages(_ result: PageMaker.Result, of resource: Resource) async throws {
    // The resource may have been reloaded or removed in the meantime.
    guard let now = try store.resource(resource.id), Self.canBeUnlocked(now),
      now.file == resource.file, !records.isRemoved(now.record), !lifecycle.isStopping
    else { throw LibraryError(.source, "resource \(resource.index) has changed meanwhile") }
    let change: ResourceChange =
      result.isFailure
      ? .failed(now.id, reason: result.reason ?? "", pages: result.pages)
      : .finished(now.id, pages: result.pages, reason: result.reason)
    commits.add(.pages(now, change))
    await commits.flush()
    try catalog.recount(resource.record)
    commits.evictIfNeeded()
  }
}
