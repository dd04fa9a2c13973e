public import Models
public import Persistence

extension MemoryStore {
  public func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: ListPlace
  ) throws(StoreError) -> ResourceIDRange {
    try checkOpen()
    guard var entry = entries[record] else { throw Self.notFound("record \(record)") }
    let first = ResourceID(lastResourceID + 1)
    var added: [ResourceID] = []
    for draft in drafts {
      lastResourceID += 1
      entry.lastIndex += 1
      let resource = Resource(
        id: ResourceID(lastResourceID), record: record, index: entry.lastIndex, url: draft.url,
        title: draft.title, expectedDigest: draft.expectedDigest, fields: draft.fields)
      resources[resource.id] = resource
      added.append(resource.id)
      entry.record.counts.queued += 1
    }
    entry.resources.insert(contentsOf: added, at: place == .top ? 0 : entry.resources.count)
    entries[record] = entry
    return ResourceIDRange(first: first, last: ResourceID(lastResourceID))
  }

  public func resource(_ id: ResourceID) throws(StoreError) -> Resource? {
    try checkOpen()
    let resource = resources[id]
    return isVisible(resource) ? resource : nil
  }

  public func resources(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [Resource] {
    try checkOpen()
    guard let entry = entries[record], entry.isInPlace else { return [] }
    return entry.resources.dropFirst(max(0, offset)).prefix(max(0, limit))
      .compactMap { resources[$0] }
  }

  public func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try checkOpen()
    let window = resources.values.filter { resource in
      guard resource.state == state, after.map({ resource.id > $0 }) ?? true,
        let entry = entries[resource.record], entry.isInPlace
      else { return false }
      return state != .queued || isTaken(entry.record, priority)
    }
    return Array(window.sorted { $0.id < $1.id }.prefix(max(0, limit)))
  }

  private func isTaken(_ record: Record, _ priority: RecordPriority?) -> Bool {
    !record.isPaused && !record.isLazy && (priority ?? record.priority) == record.priority
  }

  public func lastResource() throws(StoreError) -> ResourceID {
    try checkOpen()
    return ResourceID(lastResourceID)
  }

  public func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try checkOpen()
    return isVisible(resources[id]) ? pagesOfResources[id] ?? [] : []
  }
}
