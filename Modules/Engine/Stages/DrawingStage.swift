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
      let original = resource.file.map { layout.original($0, in: record) }
      if let image = BrowserImage(page, of: resource.file) {
        guard try await missing(image.names).count == image.names.count else { return }
        let own = page.file.map { layout.rendition($0) } ?? original
        if let own { try await maker.draw(image, own) }
      } else if let name = page.file, let file = resource.file, let original {
        guard try await !missing([name] + (page.thumbnail.map { [$0] } ?? [])).isEmpty else {
          return
        }
        guard page.isRendered(from: file.format) else {
          throw LibraryError(
            .source, "page \(number): evicted from the cache; use reload to make it again")
        }
        _ = try await maker.draw(page, original)
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

  /// Returns the renditions that do not exist.
  private func missing(_ names: [String]) async throws -> [String] {
    try await disk.run { [layout] in
      names.filter { !layout.folder.exists(layout.rendition($0)) }
    }
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
