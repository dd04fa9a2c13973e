import LibraryAPI
import Manifests
import Models
import Persistence
import Threading

/// Adds, starts and stops single resources for a client that keeps a queue of its own (`SingleDownloads`).
final class SingleStage: Stage {
  /// Held while a record is looked up or created, so that two calls do not create the same record.
  private var making = FIFOLock()
  /// The limits of resources that clients have started. Those of a resource that has ended are removed by
  /// `removeEndedLimits`.
  private var limits: [ResourceID: Limits] = [:]
  /// The number of limits at which those of ended resources are looked for.
  private var limitsBeforeRemoval = SingleStage.minimumLimits
  private static let minimumLimits = 1_024

  private struct Limits: Equatable {
    /// The rate limit in bytes per second; 0 means none.
    var bytesPerSecond = 0
    /// The maximum number of connections; nil means the setting.
    var connections: Int?
  }

  /// Returns the rate limit for a transfer in bytes per second: the lowest of its subscribers' limits, so that
  /// no client receives more than it allows; 0 if none has a limit.
  func rateLimit(of job: Job) -> Int {
    if limits.isEmpty { return 0 }
    return job.ids.compactMap { limits[$0]?.bytesPerSecond }.filter { $0 > 0 }.min() ?? 0
  }

  /// Returns the maximum number of connections for a transfer: the largest of its subscribers' numbers; nil if
  /// none has one.
  func connectionLimit(of job: Job) -> Int? {
    if limits.isEmpty { return nil }
    return job.ids.compactMap { limits[$0]?.connections }.max()
  }

  func setConnections(_ counts: [ResourceID: Int?]) {
    for (id, count) in counts { changeLimits(of: id) { $0.connections = count } }
  }

  private func changeLimits(of id: ResourceID, _ change: (inout Limits) -> Void) {
    var new = limits[id, default: Limits()]
    change(&new)
    limits[id] = new == Limits() ? nil : new
  }

  // MARK: - Adding

  func addResources(
    _ drafts: [SingleDownload], toRecord title: String
  ) async throws -> (ids: [ResourceID], record: Record) {
    let record = try await record(titled: title)
    try await untilUnlocked()
    let range = try store.insertResources(
      drafts.map {
        ResourceDraft(
          url: $0.url, title: $0.title, expectedChecksum: $0.expectedChecksum, fields: $0.fields,
          expectedByteCount: $0.expectedByteCount)
      }, into: record.id, at: .end)
    // The rows are synced before a file gets its name: after a crash, only the rows tell to which record the
    // file belongs.
    commits.requireRowSync()
    records.registerLastResource(range.last)
    try catalog.recount(record.id)
    announcer.emit(.entriesAdded(record.id, count: drafts.count))
    guard range.first <= range.last else { return ([], record) }
    return ((range.first.rawValue...range.last.rawValue).map { ResourceID($0) }, record)
  }

  /// Reads the files of a Metalink document that a client has passed.
  func files(
    ofMetalink document: [UInt8], atMost maximumFiles: Int
  ) async throws -> (entries: [ManifestEntry], problems: [String]) {
    let reading = MetalinkReading(
      name: "The Metalink document", base: nil, markup: ports.markup, limits: settings.limits,
      maximumFiles: maximumFiles)
    return try await context.reading.run { try reading.files(of: document) }
  }

  /// Returns the record that earlier calls have created for the title, or creates it.
  private func record(titled title: String) async throws -> Record {
    await withCheckedContinuation { making.acquire($0) }
    defer { making.release() }
    let key = SingleDownload.sourceKey(ofRecord: title)
    let known = try store.source(key: key)
    if let known, let record = try store.records(of: known.id).first(where: { isUsable($0) }) {
      try catalog.register(record)
      return record
    }
    try await untilUnlocked()
    // The source of a record that the user has removed is complete and can have another record.
    let source =
      try known?.id ?? store.beginSource(SourceDraft(key: key, location: title, isLazy: true))
    let record = try await stages.recordMaking.makeRecord(
      RecordDraft(source: source, title: title, folder: "", isLazy: true), at: .end)
    if known == nil {
      try store.setState(SourceState(), of: source)
      try store.completeSource(source)
    }
    commits.requireRowSync()
    try catalog.register(record)
    catalog.track(record)
    announcer.emit(.recordAdded(record.id, title: record.title))
    return record
  }

  private func isUsable(_ record: Record) -> Bool { !records.isRemoved(record.id) }

  // MARK: - Starting and stopping

  func startTransfers(_ new: [ResourceID: Int]) async throws {
    let changed = new.filter { (limits[$0.key]?.bytesPerSecond ?? 0) != $0.value }.map(\.key)
    for (id, limit) in new { changeLimits(of: id) { $0.bytesPerSecond = max(0, limit) } }
    try removeEndedLimits()
    guard lifecycle.isStarted, !lifecycle.isStopping else { return }
    // A transfer reads its limit at its start, so a running one starts again, where it was.
    if !changed.isEmpty {
      transfers.send(.withdrawn(changed))
      transfers.suspendForeignTransfers()
      await transfers.endCancelled()
    }
    let found = try store.resources(new.keys.sorted()).filter { $0.state == .queued }
    try catalog.loadRecords(of: found)
    let wanted = found.filter {
      records[$0.record].map { !$0.isPaused } ?? false && !records.isRemoved($0.record)
    }
    for id in wanted.records where !announcer.isTracked(id) { try catalog.track(id) }
    let items = try stages.lookup.schedulerItems(wanted, raised: .high)
    if !items.isEmpty { transfers.send(.wanted(items)) }
  }

  /// Removes the limits of resources that are not queued any more, at a cost that is constant per start.
  private func removeEndedLimits() throws(StoreError) {
    guard limits.count >= limitsBeforeRemoval else { return }
    let queued = Set(
      try store.resources(limits.keys.sorted()).filter { $0.state == .queued }.map(\.id))
    limits = limits.filter { queued.contains($0.key) }
    limitsBeforeRemoval = max(Self.minimumLimits, 2 * limits.count)
  }

  func stopTransfers(of ids: [ResourceID], discardingFiles discardsFiles: Bool) async throws {
    for id in ids { limits[id] = nil }
    try stages.requested.remove(ids)
    transfers.send(.withdrawn(ids))
    transfers.suspendForeignTransfers()
    await transfers.endCancelled()
    await commits.flush()
    if discardsFiles { try await discard(ids) }
    lifecycle.notifyIfIdle()
  }

  /// Fails the resources that are still queued, and deletes their partial files unless another resource uses
  /// them.
  private func discard(_ ids: [ResourceID]) async throws {
    try await untilUnlocked()
    let queued = try store.resources(ids).filter { $0.state == .queued }
    try catalog.loadRecords(of: queued)
    try store.apply(
      queued.map { .failed($0.id, reason: Resource.cancelledReason, pages: []) })
    for resource in queued {
      let request = catalog.request(of: resource)
      guard partialFiles.mayHaveRow(request), transfers.isFree(request) else { continue }
      partialFiles.unregister(request)
      commits.add(.discardPartial(request))
    }
    await commits.flush()
    for id in queued.records { try catalog.recount(id) }
  }
}
