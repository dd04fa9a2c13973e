package import Models
package import Persistence

/// Everything that a store shows.
package struct StoreSnapshot: Equatable {
  package var records: [Record] = []
  package var standalone: Record?
  package var resources: [Resource] = []
  package var pages: [ResourceID: [Page]] = [:]
  package var partials: [RequestKey: PartialDownload] = [:]
  package var windows: [ResourceState: [ResourceID]] = [:]
  package var queues: [RecordPriority: [ResourceID]] = [:]
  package var answers: [RequestKey: ExistingFile] = [:]
  package var holders: [Digest: [ExistingFile]] = [:]
  package var totals = ResourceCounts()
  package var incomplete: [SourceRow] = []
  package var sources: [SourceRow] = []
  package var lastResource = ResourceID(0)
  package var state = LibraryState()
  package var inChange: [RecordID] = []
  package var named: [RecordID: [ResourceID]] = [:]
  package var removed: [RecordID: [Resource]] = [:]

  /// - Parameters:
  ///   - requests: those that could be known.
  ///   - digests: likewise.
  package init(
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
      standalone = record
    }
    for record in records + [standalone].compactMap({ $0 }) {
      resources += try store.resources(of: record.id, offset: 0, limit: 1_000)
      named[record.id] = try store.namedResources(of: record.id)
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
  package var recount: ResourceCounts {
    resources.reduce(into: ResourceCounts()) { counts, resource in
      guard resource.record != standalone?.id else { return }
      counts[resource.state] += 1
      counts.named += resource.isNamed ? 1 : 0
      counts.bytes += resource.file?.byteCount ?? 0
    }
  }
}
