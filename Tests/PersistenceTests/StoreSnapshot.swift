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

  /// - Parameters:
  ///   - requests: those that could be known.
  ///   - digests: likewise.
  init(
    _ store: any LibraryStore, requests: [RequestKey], digests: [Digest]
  ) async throws {
    records = try await store.records(offset: 0, limit: 1_000)
    for id in 1...40 {
      let record = try await store.record(RecordID(Int64(id)))
      guard let record, !records.contains(where: { $0.id == record.id }) else { continue }
      loose = record
    }
    for record in records + [loose].compactMap({ $0 }) {
      resources += try await store.resources(of: record.id, offset: 0, limit: 1_000)
    }
    for resource in resources {
      pages[resource.id] = try await store.pages(of: resource.id)
    }
    for request in try await store.partials() {
      partials[request] = try await store.partial(of: request)
    }
    for state in ResourceState.allCases {
      windows[state] = try await store.resources(in: state, after: nil, limit: 1_000).map(\.id)
    }
    for priority in RecordPriority.allCases {
      queues[priority] = try await store.resources(
        in: .queued, of: priority, after: nil, limit: 1_000
      ).map(\.id)
    }
    answers = try await store.answers(to: requests)
    holders = try await store.holders(of: digests, limit: 3)
    totals = try await store.totals()
    incomplete = try await store.incompleteSources()
    for id in 1...20 {
      if let source = try await store.source(SourceID(Int64(id))) { sources.append(source) }
    }
    lastResource = try await store.lastResource()
    state = try await store.libraryState()
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
