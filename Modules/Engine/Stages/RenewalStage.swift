import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Makes evicted pages of archives again when a viewer shows them. Images and documents need no renewal,
/// because they are shown from their originals.
final class RenewalStage: Stage {
  func renewPages(of resources: [Resource]) {
    let candidates = resources.filter(Self.canBeRenewed)
    guard !candidates.isEmpty else { return }
    lifecycle.spawnPart { await $0.renewals.renew(candidates) }
  }

  private func renew(_ candidates: [Resource]) async {
    do {
      var isAny = false
      for resource in candidates where await isWithoutPages(resource) {
        try await untilUnlocked()
        isAny = try queueAgain(resource) || isAny
      }
      guard isAny else { return }
      pages.requestStoreLookup()
      pages.pump()
    } catch {
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }

  private func isWithoutPages(_ resource: Resource) async -> Bool {
    guard let made = try? store.pages(of: resource.id) else { return false }
    let names = made.compactMap(\.file)
    // Pages and thumbnails beyond the limit of the cache would be evicted and made again without end.
    let count = names.count + made.count { $0.thumbnail != nil }
    guard count <= settings.cache.count else { return false }
    return
      (try? await context.renditions.run { [layout] in
        names.contains { !layout.folder.exists(layout.rendition($0)) }
      }) ?? false
  }

  private static func canBeRenewed(_ resource: Resource) -> Bool {
    resource.file?.format.kind == .archive && resource.pageCount > 0
      && (resource.state == .finished || resource.state == .failed)
  }

  /// Queues a resource for the page stage, as if its download had just ended.
  private func queueAgain(_ resource: Resource) throws(StoreError) -> Bool {
    // The resource may have changed while the files of its pages were looked up.
    guard let now = try store.resource(resource.id), Self.canBeRenewed(now),
      now.file == resource.file, !records.isRemoved(now.record), !lifecycle.isStopping
    else { return false }
    try store.apply([.fetched(now.id)])
    try catalog.recount(now.record)
    return true
  }
}
