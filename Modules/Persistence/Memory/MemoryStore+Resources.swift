public import Models
public import Persistence

extension MemoryStore {
  public func appendResources(
    _ drafts: [ResourceDraft], to record: RecordID
  ) throws(StoreError) {
    try checkOpen()
    guard let entry = entries[record] else {
      throw StoreError(.notFound, "there is no record \(record)")
    }
    for (offset, draft) in drafts.enumerated() {
      lastResource += 1
      let id = ResourceID(lastResource)
      let resource = Resource(
        id: id, record: record, index: entry.resources.count + offset + 1, url: draft.url,
        title: draft.title, expectedDigest: draft.expectedDigest, fields: draft.fields)
      resources[id] = resource
      count(resource, by: 1)
      entries[record]?.resources.append(id)
    }
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
    guard let entry = entries[record], entry.position != nil else { return [] }
    return entry.resources.dropFirst(max(0, offset)).prefix(max(0, limit))
      .compactMap { resources[$0] }
  }

  public func resources(
    in state: ResourceState, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try checkOpen()
    let waiting = resources.values.filter { resource in
      guard resource.state == state, isVisible(resource) else { return false }
      if state == .queued, entries[resource.record]?.record.isPaused == true { return false }
      return after.map { resource.id > $0 } ?? true
    }
    return Array(waiting.sorted { $0.id < $1.id }.prefix(max(0, limit)))
  }

  public func partial(of id: ResourceID) throws(StoreError) -> PartialDownload? {
    try checkOpen()
    return isVisible(resources[id]) ? partialDownloads[id] : nil
  }

  public func partials() throws(StoreError) -> [ResourceID] {
    try checkOpen()
    return partialDownloads.keys.filter { isVisible(resources[$0]) }.sorted()
  }

  public func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try checkOpen()
    return isVisible(resources[id]) ? pagesOfResources[id] ?? [] : []
  }
}
