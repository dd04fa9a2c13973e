import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls

extension Router {
  /// Returns the routes for the rows of the database: records, resources and pages.
  static func rows(_ reading: LibraryReading, _ service: any LibraryService) -> [Route] {
    [
      Route("GET", "/v1/records", query: ListQuery.parameters) { call in
        let query = try ListQuery(call)
        let store = try await reading.store()
        let (rows, next) = try await query.page(id: { $0.id.rawValue }) {
          try await store.records(offset: $0, limit: $1)
        }
        let state = Activities(try await service.status())
        let sources = try await store.states(of: rows)
        return try .json(
          ListMessage(
            items: rows.map { state.message($0, sources[$0.source]) }, next: next))
      },
      Route("GET", "/v1/records/{record}") { call in
        let store = try await reading.store()
        let record = try await call.row(in: store)
        let sources = try await store.states(of: [record])
        return try .json(
          Activities(try await service.status()).message(record, sources[record.source]))
      },
      Route("GET", "/v1/records/{record}/resources", query: ListQuery.parameters) { call in
        let query = try ListQuery(call)
        let store = try await reading.store()
        let record = try await call.row(in: store)
        let (rows, next) = try await query.page(id: { $0.id.rawValue }) {
          try await store.resources(of: record.id, offset: $0, limit: $1)
        }
        let state = Activities(try await service.status())
        return try .json(
          ListMessage(items: rows.map { state.message($0, in: record) }, next: next))
      },
      Route("GET", "/v1/resources/{resource}") { call in
        let store = try await reading.store()
        let resource = try await call.resource(in: store)
        let record = try await call.record(of: resource, in: store)
        let state = Activities(try await service.status())
        return try .json(state.message(resource, in: record))
      },
      Route("GET", "/v1/resources/{resource}/pages", query: ListQuery.parameters) { call in
        let query = try ListQuery(call)
        let store = try await reading.store()
        let resource = try await call.resource(in: store)
        let pages =
          resource.hasRemotePages
          ? try await service.remotePages(of: resource.id)
          : try await store.pages(of: resource.id)
        let (rows, next) = try await query.page(id: { Int64($0.number) }) { offset, limit in
          Array(pages.dropFirst(offset).prefix(limit))
        }
        return try .json(
          ListMessage(items: rows.map { PageMessage($0, of: resource) }, next: next))
      },
    ]
  }

  /// Returns the routes for the server's health, the hosts and the settings.
  static func diagnostics(
    _ reading: LibraryReading, _ service: any LibraryService, hello: HelloMessage
  ) -> [Route] {
    [
      Route("GET", "/v1/health") { _ in
        let status = try await service.status()
        if let failure = status.failure { throw failure }
        let since = hello.since ?? Machine.unixSeconds
        return try .json(
          HealthMessage(
            uptime: max(0, Machine.unixSeconds &- since), isPaused: status.isPaused,
            isIdle: status.isIdle, active: status.active))
      },
      Route("GET", "/v1/hosts") { _ in
        try .json(HostsMessage(try await service.status(), now: Machine.unixSeconds))
      },
      Route("GET", "/v1/settings") { _ in
        try .json(SettingsMessage(try await service.status(), try await reading.settings()))
      },
    ]
  }
}

/// The current activities, by record and by resource.
struct Activities {
  private let records: [RecordID: ActivityCounts]
  private let resources: [ResourceID: ResourceActivity]
  private let dimensions: [ResourceID: ImageDimensions]
  private let isPaused: Bool

  init(_ status: LibraryStatus) {
    dimensions = Dictionary(
      status.progress.active.compactMap { each in each.dimensions.map { (each.id, $0) } },
      uniquingKeysWith: { $1 })
    var records: [RecordID: ActivityCounts] = [:]
    for record in status.progress.records where record.activity != ActivityCounts() {
      records[record.id] = record.activity
    }
    self.records = records
    resources = Dictionary(
      status.progress.active.map { ($0.id, $0.activity) }, uniquingKeysWith: { $1 })
    isPaused = status.isPaused
  }

  func message(
    _ record: Record, _ source: (state: SourceState, first: RecordID?)?
  ) -> RecordMessage {
    RecordMessage(
      record, of: source?.state, isFirst: source?.first == record.id,
      records[record.id] ?? ActivityCounts(), isLibraryPaused: isPaused)
  }

  /// Returns the dimensions of an image that is being downloaded; nil if they are unknown.
  func dimensions(of resource: ResourceID) -> ImageDimensions? { dimensions[resource] }

  func message(_ resource: Resource, in record: Record?) -> ResourceMessage {
    ResourceMessage(
      resource, resources[resource.id], dimensions[resource.id], in: record,
      isLibraryPaused: isPaused)
  }
}

extension LibraryReader {
  /// Returns the states of the sources to which the records belong, with the first record of each that has
  /// further pages.
  fileprivate func states(
    of records: [Record]
  ) async throws(StoreError) -> [SourceID: (state: SourceState, first: RecordID?)] {
    let ids = Set(records.map(\.source))
    return try await read { rows throws(StoreError) in
      var states: [SourceID: (state: SourceState, first: RecordID?)] = [:]
      for id in ids {
        guard let state = try rows.source(id)?.state else { continue }
        states[id] = (state, state.nextPage == nil ? nil : try rows.firstRecord(of: id))
      }
      return states
    }
  }
}

extension Call {
  /// Returns the record whose id is in the path.
  func row(in store: any LibraryReader) async throws -> Record {
    let id = try record()
    guard let record = try await store.record(id) else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    return record
  }

  /// Returns the resource whose id is in the path.
  func resource(in store: any LibraryReader) async throws -> Resource {
    let id = ResourceID(try number("resource", of: Int64.self))
    guard let resource = try await store.resource(id) else {
      throw ControlError(.noSuchResource, "there is no resource \(id)")
    }
    return resource
  }

  /// Returns the record of a resource, which may be the record of standalone resources; nil if it was
  /// removed.
  func record(of resource: Resource, in store: any LibraryReader) async throws -> Record? {
    if let record = try await store.record(resource.record) { return record }
    let standalone = try await store.standaloneRecord()
    return standalone?.id == resource.record ? standalone : nil
  }

  /// Returns the folder of a resource's record; nil if the record was removed.
  func folder(of resource: Resource, in store: any LibraryReader) async throws -> String? {
    try await record(of: resource, in: store)?.folder
  }
}
