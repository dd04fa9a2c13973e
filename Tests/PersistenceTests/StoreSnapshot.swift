import Models
import Persistence

/// Everything that a store shows.
struct StoreSnapshot: Equatable {
  var records: [Record] = []
  var loose: Record?
  var resources: [Resource] = []
  var pages: [ResourceID: [Page]] = [:]
  var partials: [RequestKey: PartialDownload] = [:]
  var windows: [ResourceState: [ResourceID]] = [:]
  var queues: [RecordPriority: [ResourceID]] = [:]
  var answers: [RequestKey: HeldFile] = [:]
  var holders: [Digest: [HeldFile]] = [:]
  var totals = ResourceCounts()
  var incomplete: [SourceRow] = []
  var sources: [SourceRow] = []
  var lastResource = ResourceID(0)
  var state = LibraryState()
  var inChange: [RecordID] = []
  var removed: [RecordID: [Resource]] = [:]

  /// - Parameters:
  ///   - requests: those that could be known.
  ///   - digests: likewise.
  init(
    _ store: any LibraryRows, requests: [RequestKey], digests: [Digest]
  ) throws(StoreError) {
    records = try store.records(offset: 0, limit: 1_000)
    inChange = try store.recordsInChange()
    for record in try store.removedRecords() {
      removed[record.id] = try store.resources(ofRemoved: record.id, after: nil, limit: 1_000)
    }
    for id in 1...40 {
      let record = try store.record(RecordID(Int64(id)))
      guard let record, !records.contains(where: { $0.id == record.id }) else { continue }
      loose = record
    }
    for record in records + [loose].compactMap({ $0 }) {
      resources += try store.resources(of: record.id, offset: 0, limit: 1_000)
    }
    for resource in resources {
      pages[resource.id] = try store.pages(of: resource.id)
    }
    for request in try store.partials() {
      partials[request] = try store.partial(of: request)
    }
    for state in ResourceState.allCases {
      windows[state] = try store.resources(in: state, after: nil, limit: 1_000).map(\.id)
    }
    for priority in RecordPriority.allCases {
      queues[priority] = try store.resources(
        in: .queued, of: priority, after: nil, limit: 1_000
      ).map(\.id)
    }
    answers = try store.answers(to: requests)
    holders = try store.holders(of: digests, limit: 3)
    totals = try store.totals()
    incomplete = try store.incompleteSources()
    for id in 1...20 {
      if let source = try store.source(SourceID(Int64(id))) { sources.append(source) }
    }
    lastResource = try store.lastResource()
    state = try store.libraryState()
  }

  /// Counted again from the resources themselves.
  var recount: ResourceCounts {
    resources.reduce(into: ResourceCounts()) { counts, resource in
      guard resource.record != loose?.id else { return }
      counts[resource.state] += 1
      counts.bytes += resource.file?.byteCount ?? 0
    }
  }
}
