import LibraryAPI
import Models
import Persistence
import SystemCalls
import Transport

/// Looks up the properties of resources that the scheduler needs.
extension Engine {
  func performLoad(_ load: Scheduler.Load) {
    do {
      let found = try store.resources(
        in: .queued, of: load.priority, after: load.after, limit: load.count)
      let items = try items(found, base: Precedence(load.priority))
      send(.loaded(items, isEnd: found.count < load.count))
    } catch {
      fail(LibraryError.wrapping(error))
    }
  }

  /// - Parameters:
  ///   - base: The precedence of the resources' records; nil to use that of each record.
  ///   - raised: The precedence given by viewers or callers; nil if there are none.
  func items(
    _ resources: [Resource], base: Precedence? = nil, raised: Precedence? = nil
  ) throws(StoreError) -> [Scheduler.Item] {
    try loadRecords(of: resources)
    var origins = KeyTable<RecordID, Origin>()
    for id in resources.records {
      origins[id] = Origin(
        isPublic: isPublic(id), isOnDemand: raised != nil && records[id]?.isLazy ?? false,
        since: records.began[id])
    }
    var items = Self.items(resources, origins, raised, downloadContext.defaults.fields)
    let answers = try store.answers(to: items.map(\.request))
    for index in items.indices {
      // Read after the queries, because the priority may have changed in the meantime.
      items[index].subscriber.base =
        base ?? Precedence(records[items[index].subscriber.resource.record]?.priority ?? .normal)
    }
    if answers.isEmpty, partialFiles.isEmpty { return items }
    let now = ports.wallClock.unixSeconds()
    for index in items.indices {
      let request = items[index].request
      if let held = answers[request], held.resource != items[index].subscriber.resource.id {
        let freshUntil = held.file.answer?.freshUntil ?? 0
        items[index].held = Job.Held(file: held, isFresh: freshUntil > now)
      }
      if partialFiles.mayHaveRow(request) {
        items[index].mayHaveRow = true
        items[index].partial =
          if let known = partialFiles[request] { known } else {
            try store.partial(of: request)
          }
      }
    }
    return items
  }

  /// The properties that resources inherit from their record.
  private struct Origin: Sendable {
    let isPublic: Bool
    let isOnDemand: Bool
    let since: ResourceID?
  }

  private static func items(
    _ resources: [Resource], _ origins: KeyTable<RecordID, Origin>, _ raised: Precedence?,
    _ common: HTTPFields
  ) -> [Scheduler.Item] {
    var naming = RequestNaming(common: common)
    return resources.compactMap { resource in
      guard let origin = origins[resource.record] else { return nil }
      let name = naming.name(resource.url, resource.fields, isPublic: origin.isPublic)
      let subscriber = Job.Subscriber(
        resource: resource, raised: raised, isOnDemand: origin.isOnDemand, since: origin.since)
      return Scheduler.Item(
        subscriber: subscriber, request: name.request, host: name.host, location: name.location)
    }
  }

  /// Returns the key of a resource's request. O(length of the URL).
  func request(of resource: Resource) -> RequestKey {
    name(resource.url, resource.fields, isPublic: isPublic(resource.record)).request
  }

  func name(_ url: String, _ fields: HTTPFields, isPublic: Bool) -> RequestNaming.Name {
    var naming = RequestNaming(common: downloadContext.defaults.fields)
    return naming.name(url, fields, isPublic: isPublic)
  }

  /// Loads the records of the resources and the states of their sources, unless they are in memory.
  func loadRecords(of resources: [Resource]) throws(StoreError) {
    for id in resources.records where !records.isRemoved(id) && id != standalone.record {
      if let record = records[id] {
        if records[source: record.source] == nil { try register(record) }
      } else if let record = try store.record(id) {
        try register(record)
      }
    }
  }

  func register(_ record: Record) throws(StoreError) {
    try loadState(of: record.source)
    if records[record.id] == nil, !records.isRemoved(record.id) { records.register(record) }
  }

  func loadState(of id: SourceID) throws(StoreError) {
    if records[source: id] == nil, let source = try store.source(id) {
      records.register(source.state, of: id)
    }
  }

  /// Whether the URLs of the record must not reach private addresses.
  func isPublic(_ record: RecordID) -> Bool { isPublic(records[record]?.source) }

  /// Returns the origin of the URLs of a record's resources, which decides what addresses they may reach.
  func origin(of record: Record) -> RequestOrigin {
    record.id == standalone.record ? .caller : origin(of: record.source)
  }

  private func origin(of source: SourceID?) -> RequestOrigin {
    source.flatMap { records[source: $0]?.isPublic } ?? false ? .publicPage : .privateList
  }

  func isPublic(_ source: SourceID?) -> Bool {
    AddressPolicy(origin(of: source), settings.network.privateAddresses) == .publicOnly
  }
}

extension [Resource] {
  /// The records of the resources, each once.
  fileprivate var records: [RecordID] {
    var seen = KeySet<RecordID>()
    return compactMap { seen.insert($0.record) ? $0.record : nil }
  }
}
