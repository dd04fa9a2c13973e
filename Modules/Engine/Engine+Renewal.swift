import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Pages of archives that were evicted come back when somebody looks at them. Images and documents
/// need none: they are shown from their originals.
extension Engine {
  func renewPages(of resources: [Resource]) async throws {
    var isAny = false
    for resource in resources where await isWithoutPages(resource) {
      isAny = try await renewPages(of: resource) || isAny
    }
    guard isAny else { return }
    pageStage.lookIntoStore()
    await pumpPages()
  }

  private func isWithoutPages(_ resource: Resource) async -> Bool {
    guard Self.canBeRenewed(resource), let pages = try? await store.pages(of: resource.id) else {
      return false
    }
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
  private func renewPages(of resource: Resource) async throws -> Bool {
    try await withTurn {
      // A batch may have changed it meanwhile.
      guard let now = try await store.resource(resource.id), Self.canBeRenewed(now),
        now.file == resource.file, !removed.contains(now.record), !isStopping
      else { return false }
      try await store.apply([.fetched(now.id)], durable: false)
      try await recount(now.record)
      return true
    }
  }
}
