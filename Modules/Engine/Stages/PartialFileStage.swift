import LibraryAPI
import Models
import Persistence

/// Deletes the partial files of records that are cancelled, reloaded or removed, and moves those of signed URLs.
final class PartialFileStage: Stage {
  /// Commits the pending results of the record and deletes the partial files of its requests, unless
  /// resources of other records need them.
  func discard(of record: Record) async throws {
    await commits.flush()
    var known = Set(try store.partials())
    // A removal makes room; after any other verb, the next engine completes the commits.
    if records.isRemoved(record.id) { known.formUnion(partialFiles.postponed) }
    guard !known.isEmpty else { return }
    try catalog.loadState(of: record.source)
    let (id, isPublic) = (record.id, catalog.forbidsPrivateAddresses(record.source))
    let scope = catalog.scope(of: record.source)
    let identity = catalog.identity(of: record.source)
    var left: [(url: String, request: RequestKey)] = []
    var (offset, last): (Int, ResourceID?) = (0, nil)
    try await inParts { store, limit throws(StoreError) in
      let part =
        records.isRemoved(id)
        ? try store.resources(ofRemoved: id, after: last, limit: limit)
        : try store.resources(of: id, offset: offset, limit: limit)
      offset += part.count
      last = part.last?.id
      left += part.map {
        ($0.url, catalog.name($0.url, $0.fields, isPublic: isPublic, scope, identity).request)
      }
      .filter { [known] in known.contains($0.request) }
      return !part.isEmpty
    }
    // The scheduler does not know the resources of paused or lazy records, nor those beyond its window on
    // the queue.
    let elsewhere = try await queuedURLs(among: Set(left.map(\.url)), outside: id)
    for (url, request) in left where !elsewhere.contains(url) && transfers.isFree(request) {
      partialFiles.unregister(request)
      commits.add(.discardPartial(request))
    }
    await commits.flush()
  }

  /// Makes the partial file of a resource that of its new URL, which differs from the old one in the signature only. A
  /// transfer of the new request waits for the change, because it is uncommitted until then.
  func move(of resource: Resource, to url: String) throws(StoreError) {
    let old = catalog.request(of: resource)
    guard partialFiles.mayHaveRow(old), transfers.isUnwanted(old),
      case .http(let oldURL) = ResourceLocation(resource.url),
      case .http(let newURL) = ResourceLocation(url)
    else { return }
    let new = catalog.name(
      url, resource.fields, isPublic: catalog.forbidsPrivateAddresses(resource.record),
      catalog.scope(of: resource.record), catalog.identity(of: resource)
    ).request
    guard !partialFiles.mayHaveRow(new), transfers.isUnwanted(new) else { return }
    let partial = if let known = partialFiles[old] { known } else { try store.partial(of: old) }
    guard let moved = partial?.movedFrom(oldURL, to: newURL) else { return }
    if partialFiles.isKept(old) { partialFiles.retain([new], for: resource.record) }
    partialFiles.unregister(old)
    partialFiles.register(moved, of: new)
    commits.add(.movedPartial(from: old, to: new, moved))
    commits.add(.partialDeleted(old))
  }

  /// Returns those of `urls` that queued resources of other records have, compared as text.
  private func queuedURLs(
    among urls: Set<String>, outside id: RecordID
  ) async throws -> Set<String> {
    guard !urls.isEmpty else { return [] }
    var found: Set<String> = []
    let others = try catalog.allRecords() + [store.standaloneRecord()].compactMap { $0 }
    for record in others where record.id != id && record.counts.queued > 0 {
      var last: ResourceID?
      try await inParts { store, limit throws(StoreError) in
        let part = try store.queuedURLs(among: urls, of: record.id, after: last, limit: limit)
        found.formUnion(part.urls)
        last = part.last
        return last != nil
      }
    }
    return found
  }
}
