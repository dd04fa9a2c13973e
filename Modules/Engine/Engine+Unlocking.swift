public import LibraryAPI
public import Models
import Persistence
import ProgressTree

/// Makes the pictures of encrypted documents and archives when a user gives the password. Only the confined
/// decoders receive the password, and it is stored nowhere; the pictures are ordinary files of the cache.
extension Engine {
  /// Makes the pictures of an encrypted document or archive, as after its download: all pictures of an
  /// archive, the first page of a document.
  /// - Throws: `.encrypted` for a wrong password, which leaves the resource unchanged; `.source` if the
  ///   resource is not a document or archive, or is damaged.
  public func unlock(
    _ id: ResourceID, with password: DocumentPassword
  ) async throws(LibraryError) {
    do {
      guard let resource = try store.resource(id), let file = resource.file,
        let record = try store.record(resource.record), Self.canBeUnlocked(resource)
      else {
        throw LibraryError(.source, "resource \(id) is no document or archive that is here")
      }
      let result = try await pageMaker(for: record, password)
        .make(resource, file: file, record: record)
      if result.isEncrypted {
        throw LibraryError(.encrypted, "resource \(resource.index): \(result.reason ?? "")")
      }
      guard !result.isMissing, !result.pages.isEmpty else {
        throw LibraryError(
          .source, "resource \(resource.index): \(result.reason ?? "its file is gone")")
      }
      try await commitPages(result, of: resource)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private static func canBeUnlocked(_ resource: Resource) -> Bool {
    guard let kind = resource.file?.format.kind else { return false }
    return (kind == .document || kind == .archive) && resource.state.isSettled
  }

  /// Commits the pages; the store has them when this returns.
  private func commitPages(_ result: PageMaker.Result, of resource: Resource) async throws {
    // The resource may have been reloaded or removed in the meantime.
    guard let now = try store.resource(resource.id), Self.canBeUnlocked(now),
      now.file == resource.file, !records.isRemoved(now.record), !isStopping
    else { throw LibraryError(.source, "resource \(resource.index) was changed meanwhile") }
    let change: ResourceChange =
      result.isFailure
      ? .failed(now.id, reason: result.reason ?? "", pages: result.pages)
      : .finished(now.id, pages: result.pages, reason: result.reason)
    commit(.pages(now, change))
    await flushCommits()
    try recount(resource.record)
    evictIfNeeded()
  }
}
