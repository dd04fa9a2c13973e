import LibraryAPI
import Models
import Persistence
import Threading

/// Makes pages of archives again when a viewer shows them, if they were evicted or their files are not whole. Images and
/// documents need no renewal, because they are shown from their originals.
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
    let names = made.flatMap(\.fileNames)
    // Pages and thumbnails beyond the limit of the cache would be evicted and made again without end.
    guard names.count <= settings.cache.count, let check = try? renditionCheck(of: names) else {
      return false
    }
    let images = made.compactMap(\.file)
    return
      (try? await context.renditions.run {
        images.contains { !check.isWhole($0) } || names.contains { check.state(of: $0) == .damaged }
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
