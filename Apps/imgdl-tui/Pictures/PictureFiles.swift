import ImgdlLibrary
import LibraryAPI
import Models
import Persistence
import Screens
import SystemCalls

/// Finds the smallest file that shows a picture in the size that is wanted.
struct PictureFiles: Sendable {
  let library: LibrarySession
  let layout: LibraryLayout
  let thumbnailSide: Int
  let pageSide: Int

  struct Found: Sendable {
    var path: String
    /// In the file, from 0.
    var page = 0
  }

  struct Missing: Error {
    let reason: String
  }

  /// The engine makes it again for whoever looks at its record.
  struct Evicted: Error {}

  @concurrent
  func file(for key: PictureKey) async throws -> Found {
    let store = try await library.connected().store
    guard let resource = try await store.resource(key.resource), let file = resource.file,
      let record = try await store.record(resource.record)
    else { throw Missing(reason: "it is gone") }
    let original = layout.original(file, in: record)
    let pages = try await store.pages(of: key.resource)
    guard pages.indices.contains(key.page) else {
      // Without thumbnails an image has no page of its own.
      guard file.format.kind == .image else { throw Missing(reason: "it has no pages") }
      return Found(path: original)
    }
    let page = pages[key.page]
    if let reason = page.reason, page.file == nil, page.thumbnail == nil {
      throw Missing(reason: reason)
    }
    if key.side <= thumbnailSide, let name = page.thumbnail, let found = rendition(name) {
      return found
    }
    switch file.format.kind {
    case .image, .document:
      // Larger than the page that was made, a document is drawn anew.
      if key.side <= pageSide, let name = page.file, let found = rendition(name) { return found }
      return Found(path: original, page: key.page)
    case .archive, .other:
      guard let name = page.file else { throw Missing(reason: "it has no picture") }
      guard let found = rendition(name) else { throw Evicted() }
      return found
    }
  }

  /// nil if it was evicted.
  private func rendition(_ name: String) -> Found? {
    let path = layout.rendition(name)
    return FileSystem.exists(path) ? Found(path: path) : nil
  }
}
