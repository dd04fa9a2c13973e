public import Models
public import Persistence

extension MemoryStore {
  public func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange {
    try write { () throws(StoreError) in try tables.insert(drafts, into: record, at: place) }
  }

  public func resource(_ id: ResourceID) throws(StoreError) -> Resource? {
    try checkOpen()
    let resource = tables.resources[id]
    return tables.isVisible(resource) ? resource : nil
  }

  public func resources(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [Resource] {
    try checkOpen()
    guard let entry = tables.entries[record], entry.isInPlace else { return [] }
    return entry.resources.dropFirst(max(0, offset)).prefix(max(0, limit))
      .compactMap { tables.resources[$0] }
  }

  public func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try checkOpen()
    let window = tables.resources.values.filter { resource in
      guard resource.state == state, after.map({ resource.id > $0 }) ?? true,
        let entry = tables.entries[resource.record], entry.isInPlace
      else { return false }
      return state != .queued || isIncluded(entry.record, priority)
    }
    return Array(window.sorted { $0.id < $1.id }.prefix(max(0, limit)))
  }

  private func isIncluded(_ record: Record, _ priority: RecordPriority?) -> Bool {
    !record.isPaused && !record.isLazy && (priority ?? record.priority) == record.priority
  }

  public func queuedURLs(
    among urls: Set<String>, of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> (urls: Set<String>, last: ResourceID?) {
    try checkOpen()
    let part = (tables.entries[record]?.resources ?? []).sorted()
      .filter { $0 > after ?? ResourceID(0) }.compactMap { tables.resources[$0] }
      .filter { $0.state == .queued }.prefix(max(0, limit))
    return (urls.intersection(part.map(\.url)), part.last?.id)
  }

  public func namedResources(of record: RecordID) throws(StoreError) -> [ResourceID] {
    try resources(of: record, offset: 0, limit: .max).filter(\.isNamed).map(\.id)
  }

  public func lastResource() throws(StoreError) -> ResourceID {
    try checkOpen()
    return ResourceID(tables.lastResourceID)
  }

  public func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [ResourceID: PageSize] {
    var sizes: [ResourceID: PageSize] = [:]
    for resource in try resources(of: record, offset: offset, limit: limit) {
      guard let page = try pages(of: resource.id).first(where: { $0.number == 1 }) else { continue }
      sizes[resource.id] = PageSize(width: page.width, height: page.height)
    }
    return sizes
  }

  public func resourceIDs(
    of record: RecordID, _ selection: ResourceSelection
  ) throws(StoreError) -> [ResourceID] {
    let included = try resources(of: record, offset: 0, limit: .max)
      .filter { selection.states?.contains($0.state) ?? true }
    func key(_ resource: Resource) -> Double? {
      switch selection.order {
      case .position: nil
      case .size: resource.file.map { Double($0.byteCount) }
      case .duration: resource.file?.timings.duration
      case .rate: resource.file.flatMap { $0.timings.rate(ofFile: $0.byteCount) }
      case .wait: resource.file?.timings.wait
      case .transfer: resource.file?.timings.transfer
      }
    }
    if selection.order == .position {
      return (selection.isDescending ? included.reversed() : included).map(\.id)
    }
    let keyed = included.enumerated().map { (place: $0, id: $1.id, key: key($1)) }
    return keyed.sorted { one, other in
      guard let first = one.key, let second = other.key, first != second else {
        if (one.key == nil) != (other.key == nil) { return one.key != nil }
        return one.place < other.place
      }
      return selection.isDescending ? first > second : first < second
    }.map(\.id)
  }

  public func resources(_ ids: [ResourceID]) throws(StoreError) -> [Resource] {
    var found: [Resource] = []
    for id in ids { if let resource = try resource(id) { found.append(resource) } }
    return found
  }

  public func firstPages(of ids: [ResourceID]) throws(StoreError) -> [ResourceID: Page] {
    var found: [ResourceID: Page] = [:]
    for id in ids { found[id] = try pages(of: id).first { $0.number == 1 } }
    return found
  }

  public func failedCount(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try resources(of: record, offset: 0, limit: .max)
      .count { $0.state == .failed && $0.reason == reason }
  }

  public func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try checkOpen()
    return tables.isVisible(tables.resources[id]) ? tables.pagesOfResources[id] ?? [] : []
  }
}
