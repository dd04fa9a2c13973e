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

  /// Renders the page image and the thumbnail of one page of a document, unless they exist, or the rendition of an
  /// image in a format that browsers do not show (`BrowserImage`). Other images need no rendering.
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
      guard let drawing = try await drawing(of: page, resource, record, maker) else { return }
      try await share(drawing, of: id)
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

  /// Returns the drawing of a page's images; nil if they exist, or if the page is shown from the original.
  /// - Throws: `.source` if an image was extracted from an archive and has been evicted.
  private func drawing(
    of page: Page, _ resource: Resource, _ record: Record, _ maker: PageMaker
  ) async throws -> PageDrawing? {
    let original = resource.file.map { layout.original($0, in: record) }
    let isRendered = resource.file.map { page.isRendered(from: $0.format) } ?? false
    let target: PageDrawing.Target
    if let image = BrowserImage(page, of: resource.file) {
      target = .browserImage(image)
    } else {
      guard page.file != nil else { return nil }
      target = .page(page)
    }
    let extracted = isRendered ? nil : page.file.map { layout.rendition($0) }
    guard let source = extracted ?? original else { return nil }
    let drawing = PageDrawing(
      maker: maker, target: target, source: source, original: extracted == nil ? resource.file : nil
    )
    let (isDone, hasSource) = try await disk.run { [layout] in
      (drawing.isDone(), layout.folder.exists(source))
    }
    if isDone { return nil }
    if case .browserImage = target, hasSource { return drawing }
    guard extracted == nil else {
      throw LibraryError(
        .source, "page \(page.number): evicted from the cache; use reload to make it again")
    }
    return drawing
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
          try await drawing.run {
            try await engine.run { try await $0.drawings.hasOriginal(of: drawing, id) }
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

  func cancelAll() { shared.cancelAll() }

  /// Returns when no images are being drawn.
  func endAll() async {
    while let task = shared.anyTask { await task.value }
  }

  /// Renders an encrypted document or archive as if its download had just ended: all images of an archive,
  /// the first page of a document.
  /// - Throws: `.encrypted` for a wrong password, which leaves the resource unchanged; `.source` if the
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
      throw LibraryError(.encrypted, "resource \(resource.index): \(result.reason ?? "")")
    }
    guard !result.isMissing, !result.pages.isEmpty else {
      throw LibraryError(
        .source, "resource \(resource.index): \(result.reason ?? "its file is gone")")
    }
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
