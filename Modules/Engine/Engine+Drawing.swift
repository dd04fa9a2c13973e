public import LibraryAPI
public import Models
import Persistence
import Rendering
import SystemCalls
import Threading

/// Draws pages of documents when a viewer looks at them.
extension Engine {
  /// Draws the pictures of a document's page if they do not exist. Pages of other formats have their
  /// pictures from the start.
  /// - Parameters:
  ///   - number: The number of the page, from 1.
  ///   - password: The password of an encrypted document.
  /// - Throws: `.source` if the page does not exist or cannot be drawn; `.encrypted` if a password is
  ///   needed or the given one is wrong.
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
      // A page without a file of its own is shown from the original.
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
