import Models
import Persistence

/// Files of sources that are added again, after their lists have signed all URLs anew.
extension SourceStage {
  /// Makes the files of an earlier reading of a source the answers to the requests for the URLs that differ in their
  /// signatures only. The requests are then those for known URLs: conditional ones, which cost no download.
  /// - Parameters:
  ///   - entries: The entries with signed URLs of the new reading.
  ///   - resetCount: The number of resets before the reading.
  func shareFiles(
    of earlier: SourceRow, with entries: [StoreImport.SignedEntry], of source: SourceRow,
    since resetCount: Int
  ) async throws {
    guard !entries.isEmpty else { return }
    // The row of an incomplete source cannot be read, but its requests are named like those of a complete one.
    records.register(source.state, of: source)
    let isPublic = catalog.forbidsPrivateAddresses(source.id)
    let (scope, identity) = (catalog.scope(of: source.id), catalog.identity(of: source.id))
    let name = { [catalog] (url: String, fields: HTTPFields) in
      catalog.name(url, fields, isPublic: isPublic, scope, identity).request
    }
    var matching = SignedAnew()
    for entry in entries {
      matching.add(entry.unsigned, entry.fields, name(entry.url, entry.fields))
    }
    for record in try store.records(of: earlier.id) {
      try catalog.register(record)
      var offset = 0
      try await inParts { store, limit throws(StoreError) in
        let part = try store.resources(of: record.id, offset: offset, limit: limit)
        offset += part.count
        matching.add(part, earlier: { catalog.request(of: $0) }, new: name)
        return !part.isEmpty
      }
    }
    let changes = matching.changes
    try await untilUnlocked()
    try stages.removals.checkReset(since: resetCount)
    if !changes.isEmpty { try store.apply(changes) }
  }
}
