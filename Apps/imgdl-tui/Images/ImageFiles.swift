import Composition
import LibraryAPI
import Models
import Persistence
import Screens

/// Finds the smallest file that shows an image at the requested size.
struct ImageFiles: Sendable {
  let library: LibrarySession
  let layout: LibraryLayout
  let thumbnailSide: Int
  let pageSide: Int

  struct DecodableFile: Sendable {
    var path: String
    /// The index of the page in the file, from 0.
    var page = 0
    /// The password of the file, if it is an encrypted original.
    var password: DocumentPassword?
  }

  struct Missing: Error {
    let reason: String
  }

  /// The error for an evicted image, which the engine makes again when its range is reported as visible.
  struct Evicted: Error {}

  /// - Parameter password: The password of an encrypted document, with which the engine draws a page that is
  ///   missing.
  @concurrent
  func file(for key: ImageKey, _ password: DocumentPassword?) async throws -> DecodableFile {
    let connection = try await library.connected()
    let store = connection.store
    guard let resource = try await store.resource(key.resource) else {
      throw Missing(reason: "it was removed")
    }
    if resource.hasRemotePages {
      return try await remoteFile(for: key, connection.service, store)
    }
    guard let file = resource.file,
      let record = try await store.record(resource.record)
    else { throw Missing(reason: "it was removed") }
    let original = layout.original(file, in: record)
    let pages = try await store.pages(of: key.resource)
    guard pages.indices.contains(key.page) else {
      // Without thumbnails, an image has no page in the store.
      guard file.format.kind == .image else { throw Missing(reason: "it has no pages") }
      return DecodableFile(path: original)
    }
    let page = pages[key.page]
    if let reason = page.reason, page.file == nil, page.thumbnail == nil {
      throw Missing(reason: reason)
    }
    let check = try await store.renditionCheck(of: page.fileNames, layout)
    if let found = scaled(page, key.side, check) { return found }
    switch file.format.kind {
    case .image: return DecodableFile(path: original, page: key.page)
    case .document:
      if let password, key.side <= pageSide {
        // If the engine cannot store the page, the caller draws it from the original.
        try? await connection.service.draw(
          page: page.number, of: key.resource, password: password)
        let check = try await store.renditionCheck(of: page.fileNames, layout)
        if let found = scaled(page, key.side, check) { return found }
      }
      // An image larger than the stored page is drawn from the document.
      return DecodableFile(path: original, page: key.page, password: password)
    case .archive, .other:
      guard let name = page.file else { throw Missing(reason: "it contains no image") }
      guard let found = rendition(name, check) else { throw Evicted() }
      return found
    }
  }

  /// Fetches the page of an archive that is not downloaded.
  private func remoteFile(
    for key: ImageKey, _ service: any LibraryService, _ store: any LibraryReader
  ) async throws -> DecodableFile {
    let page: Page?
    do throws(LibraryError) {
      page = try await service.remotePage(
        key.page + 1, of: key.resource, withThumbnail: key.side <= thumbnailSide)
    } catch {
      throw Missing(reason: error.detail)
    }
    guard let page else { throw Missing(reason: "the archive has no such page any more") }
    if let reason = page.reason, !page.hasImage { throw Missing(reason: reason) }
    let check = try await store.renditionCheck(of: page.fileNames, layout)
    guard
      let found = scaled(page, key.side, check) ?? page.file.flatMap({ rendition($0, check) })
    else { throw Evicted() }
    return found
  }

  /// Returns the smallest image of a page that is large enough; nil if there is none.
  private func scaled(_ page: Page, _ side: Int, _ check: RenditionCheck) -> DecodableFile? {
    if side <= thumbnailSide, let name = page.thumbnail, let found = rendition(name, check) {
      return found
    }
    guard side <= pageSide, let name = page.file else { return nil }
    return rendition(name, check)
  }

  /// Returns a stored rendition by its name; nil if it was evicted, or is not whole.
  private func rendition(_ name: String, _ check: RenditionCheck) -> DecodableFile? {
    check.isWhole(name) ? DecodableFile(path: layout.rendition(name)) : nil
  }
}
