public import LibraryAPI
public import Models
import Persistence
import Rendering
import SystemCalls
import Threading

/// Pages of documents are drawn when somebody looks at them.
extension Engine {
  /// Makes the pictures of a page of a document if they are not there. Whatever is a picture already
  /// is drawn.
  /// - Parameters:
  ///   - number: from 1.
  ///   - password: of an encrypted document.
  /// - Throws: `.source` where there is no such page, or it cannot be drawn; `.encrypted` where it takes a
  ///   password, or another one.
  public func draw(
    page number: Int, of id: ResourceID, password: DocumentPassword?
  ) async throws(LibraryError) {
    do {
      guard let resource = try store.resource(id), let file = resource.file,
        let record = try store.record(resource.record),
        let page = try store.pages(of: id).first(where: { $0.number == number })
      else { throw LibraryError(.source, "resource \(id) has no page \(number) to draw") }
      if let reason = page.reason, !page.hasPicture {
        throw LibraryError(.source, "page \(number): \(reason)")
      }
      let names = [page.file, page.thumbnail].compactMap { $0 }
      let isThere = try await disk.run { [layout] in
        names.allSatisfy { layout.folder.exists(layout.rendition($0)) }
      }
      // Without a file of its own it is the original itself.
      guard !isThere, page.file != nil else { return }
      guard page.isDrawn(from: file.format) else {
        throw LibraryError(.source, "page \(number): evicted from the cache; reload brings it back")
      }
      _ = try await pageMaker(for: record, password).draw(page, layout.original(file, in: record))
      evictIfNeeded()
    } catch let error as RenderError {
      throw LibraryError(
        error.code == .encrypted ? .encrypted : .source, "page \(number): \(error.detail)")
    } catch {
      throw LibraryError.wrapping(error)
    }
  }
}
