public import LibraryAPI
public import Models
import Persistence
import ProgressTree

/// Encrypted documents and archives get their pictures when somebody gives the password. It goes to the
/// confined decoders and is kept nowhere; the pictures that come of it are files of the cache, like others.
extension Engine {
  /// Makes the pictures of an encrypted document or archive, as after its download: all of an archive, the
  /// first page of a document.
  /// - Throws: `.encrypted` for another password than its own, and the resource stays as it was; `.source`
  ///   for what is no document or archive, or is damaged.
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
      try await keep(result, of: resource)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private static func canBeUnlocked(_ resource: Resource) -> Bool {
    guard let kind = resource.file?.format.kind else { return false }
    return (kind == .document || kind == .archive) && resource.state.isSettled
  }

  /// The store has the pages when this returns.
  private func keep(_ result: PageMaker.Result, of resource: Resource) async throws {
    // The resource may have been reloaded or removed meanwhile.
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
