import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Downloads resources with damaged files again.
final class RequeueStage: Stage {
  func requeue(_ resources: [ResourceID], reason: String) async throws -> Int {
    try await untilUnlocked()
    let standaloneRecord = try catalog.standaloneRecord()
    // After this transaction, no other resource can be linked to the damaged files.
    try store.apply(resources.map { .answering($0, nil) })
    for id in resources { transfers.send(.duplicateMissing([], missing: id)) }
    let bad = try inPlace(resources)
    let listed = bad.filter { $0.record != standaloneRecord.id }
    let owners = Set(listed.map(\.record))
    let lazy = try owners.filter { try store.record($0)?.isLazy == true }
    try store.apply(
      listed.map { .requeued($0.id, reason: reason) }
        + listed.filter { lazy.contains($0.record) }.map { .named($0.id, true) })
    // The scheduler accepts a resource again only after `.commitEnded` for its earlier row change.
    await commits.flush()
    for record in Set(listed.map(\.record)).sorted() {
      try catalog.recount(record)
      guard lazy.contains(record) else { continue }
      try stages.requested.add(listed.filter { $0.record == record }.map(\.id), of: record)
    }
    try await removeRows(bad.filter { $0.record == standaloneRecord.id }, of: standaloneRecord)
    for record in Set(listed.map(\.record)).sorted() {
      announcer.emit(.retried(record, count: listed.count { $0.record == record }))
    }
    transfers.queueChanged()
    return listed.count
  }

  /// Returns the resources whose files are in place and which are not being processed.
  private func inPlace(_ ids: [ResourceID]) throws(StoreError) -> [Resource] {
    var found: [Resource] = []
    for id in ids {
      guard let resource = try store.resource(id), resource.file != nil else { continue }
      // The file of a `stored` resource is a new one, not the damaged one; the page maker checks the file
      // of a `fetched` resource.
      if resource.state == .stored || (resource.state == .fetched && lifecycle.isStarted) {
        continue
      }
      found.append(resource)
    }
    return found
  }

  /// Removes standalone resources with their files; they are downloaded again when a caller requests them.
  private func removeRows(_ resources: [Resource], of standalone: Record) async throws {
    guard !resources.isEmpty else { return }
    let paths = resources.compactMap { $0.file.map { layout.original($0, in: standalone) } }
    try await disk.run { [layout] in
      for path in paths { try? layout.folder.removeIfExists(path) }
    }
    try store.apply(resources.map { .removed($0.id) })
    try store.removeEntries(resources.map(\.id.description), in: .standalone)
  }
}
