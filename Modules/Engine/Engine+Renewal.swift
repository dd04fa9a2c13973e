import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Pages of archives that were evicted come back when somebody looks at them. Images and documents
/// need none: they are shown from their originals.
extension Engine {
  func renewPages(of resources: [Resource]) {
    let candidates = resources.filter(Self.canBeRenewed)
    guard !candidates.isEmpty else { return }
    verbs.beginPart()
    Task {
      await renew(candidates)
      verbs.endPart()
      noteIfIdle()
    }
  }

  private func renew(_ candidates: [Resource]) async {
    do {
      var isAny = false
      for resource in candidates where await isWithoutPages(resource) {
        try await untilUnlocked()
        isAny = try queueAgain(resource) || isAny
      }
      guard isAny else { return }
      pageStage.lookIntoStore()
      pumpPages()
    } catch {
      fail(LibraryError.wrapping(error))
    }
  }

  private func isWithoutPages(_ resource: Resource) async -> Bool {
    guard let pages = try? store.pages(of: resource.id) else { return false }
    let names = pages.compactMap(\.file)
    // What does not fit would be made again and again.
    let count = names.count + pages.count { $0.thumbnail != nil }
    guard count <= settings.cache.count else { return false }
    return
      (try? await renditions.run { [layout] in
        names.contains { !layout.folder.exists(layout.rendition($0)) }
      }) ?? false
  }

  private static func canBeRenewed(_ resource: Resource) -> Bool {
    resource.file?.format.kind == .archive && resource.pageCount > 0
      && (resource.state == .finished || resource.state == .failed)
  }

  /// Its pages are to be made, as after its download.
  private func queueAgain(_ resource: Resource) throws(StoreError) -> Bool {
    // It may have changed while the disk was asked.
    guard let now = try store.resource(resource.id), Self.canBeRenewed(now),
      now.file == resource.file, !records.isRemoved(now.record), !isStopping
    else { return false }
    try store.apply([.fetched(now.id)], durable: false)
    try recount(now.record)
    return true
  }
}
