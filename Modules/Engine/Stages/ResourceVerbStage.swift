import LibraryAPI
import Models
import Persistence

/// Retries and reloads chosen resources of a record. If the process ends in between, the next start does
/// not complete the change, in contrast to a verb on a whole record: only some of the resources are queued
/// again. The next engine downloads those, also of a lazy record.
final class ResourceVerbStage: Stage {
  /// Queues those of the resources that have failed. A resource that failed because engines ended while
  /// they processed its file is processed again without a request.
  func retry(_ resources: [ResourceID], of id: RecordID) async throws -> Int {
    try await requeuing {
      let count = try await change(resources, of: id) { resource in
        guard resource.state == .failed else { return nil }
        let isWhole = resource.file != nil && !resource.mustReload
        return isWhole && resource.reason == Recovery.endedTwice
          ? .fetched(resource.id)
          : .queuedAgain(resource.id, mustReload: resource.mustReload)
      }
      if count > 0 { announcer.emit(.retried(id, count: count)) }
      return count
    }
  }

  /// Queues those of the resources again that are finished or failed. The other resources are waiting,
  /// being downloaded or being processed already.
  func reload(_ resources: [ResourceID], of id: RecordID) async throws -> Int {
    try await requeuing {
      let count = try await change(resources, of: id) { resource in
        resource.state.isSettled ? .queuedAgain(resource.id, mustReload: true) : nil
      }
      if count > 0 { announcer.emit(.reloading(id, count: count)) }
      return count
    }
  }

  /// Makes a change to resources of a record in parts, between which other work runs.
  /// - Parameter change: Returns the change of a resource, or nil to leave it as it is.
  /// - Returns: The number of changed resources.
  private func change(
    _ resources: [ResourceID], of id: RecordID, _ change: (Resource) -> ResourceChange?
  ) async throws -> Int {
    try await stages.verbs.inTurn(of: id) {
      let isLazy = try catalog.existing(id).isLazy
      var rest = resources[...]
      var changed: [ResourceID] = []
      try await inParts { store, limit throws(StoreError) in
        let changes = try store.resources(Array(rest.prefix(limit)))
          .filter { $0.record == id }
          .compactMap { resource in change(resource).map { (resource.id, $0) } }
        rest = rest.dropFirst(limit)
        try store.apply(
          changes.map(\.1) + (isLazy ? changes.map { .named($0.0, true) } : []))
        changed += changes.map(\.0)
        return !rest.isEmpty
      }
      guard !changed.isEmpty else { return 0 }
      // The scheduler accepts a resource again only after `.commitEnded` for its earlier row change.
      await commits.flush()
      try catalog.recount(id)
      if isLazy { try stages.requested.add(changed, of: id) }
      return changed.count
    }
  }
}
