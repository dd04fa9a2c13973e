import LibraryAPI
import Models
import Persistence
import ProgressTree

/// Announces the results of batches, and begins what follows from them.
extension CommitStage {
  /// Publishes the results of a part of a batch, all of which are on the disk.
  func publishCommitted(
    _ part: ArraySlice<CommitWork>, _ lost: Set<ResourceID>, _ refusals: [ResourceID: Refusal]
  ) throws(StoreError) {
    var committedRows: [ResourceID] = []
    for work in part {
      switch work {
      case .arrival(let arrival):
        guard !lost.contains(arrival.resource.id) else { continue }
        committedRows.append(arrival.resource.id)
        if let refusal = refusals[arrival.resource.id] {
          // No other resource may share a file that is not there.
          transfers.send(.duplicateMissing([], missing: arrival.resource.id))
          if let kept = refusal.keptFile(of: arrival) {
            processKept(kept)
          } else {
            publishOutcome(arrival.resource, failure: refusal.reason)
          }
        } else {
          processArrival(arrival)
        }
      case .pages(let resource, let change):
        pages.committed(resource.id)
        if case .failed(_, let reason, _) = change {
          publishOutcome(resource, failure: reason)
        } else {
          publishOutcome(resource, failure: nil)
        }
      case .failed(let resource, let reason):
        committedRows.append(resource.id)
        publishOutcome(resource, failure: reason)
      case .kept(let kept):
        committedRows.append(kept.resource.id)
        processKept(kept)
      case .answered(let resource, let failure):
        committedRows.append(resource.id)
        announcer.suspend(resource.id)
        standalone.completeRequest(of: resource.id, failure)
      case .removed, .partial, .movedPartial, .partialDeleted, .discardPartial, .confirmed,
        .dropped:
        break
      }
    }
    if !committedRows.isEmpty {
      transfers.send(.commitEnded(committedRows))
      try stages.requested.removeSettled(committedRows)
    }
  }

  /// Queues the resource for a download, because the file that it was to share is missing.
  func requeueMissingDuplicate(of arrival: CommitWork.Arrival) throws(StoreError) {
    guard case .existing(let existing) = arrival.origin else { return }
    var resource = arrival.resource
    resource.file = nil
    // No other resource may share the missing file.
    try store.apply([.answering(existing.resource, nil)])
    announcer.suspend(resource.id)
    let name = catalog.name(of: resource)
    let record = records[resource.record]
    let isOnDemand = record?.isLazy ?? true
    let subscriber = Job.Subscriber(
      resource: resource, base: Precedence(record?.priority ?? .normal),
      raised: isOnDemand ? .visible : nil, isOnDemand: isOnDemand)
    let item = Scheduler.Item(
      subscriber: subscriber, request: name.request, host: name.host, location: name.location)
    transfers.send(.duplicateMissing([item], missing: existing.resource))
  }

  private func processArrival(_ arrival: CommitWork.Arrival) {
    guard case .fetched = arrival.followUp else {
      return publishOutcome(arrival.resource, failure: nil)
    }
    makePages(of: arrival.resource, arrival.file)
  }

  private func processKept(_ kept: KeptFile) {
    let resource = kept.resource
    if let record = records[resource.record] {
      announcer.emit(.problem("\(record.folder)/\(kept.file.name): \(kept.remark)"))
    }
    guard kept.needsPages else { return publishOutcome(resource, failure: nil) }
    makePages(of: resource, kept.file)
  }

  private func makePages(of resource: Resource, _ file: StoredFile) {
    // The record was removed while the batch was being committed.
    guard !records.isRemoved(resource.record) else { return }
    if pages.add(resource, file: file) {
      announcer.setStage(.rendering, of: resource.id)
    } else {
      // A resource that waits for page work in the store shows no progress.
      announcer.suspend(resource.id)
    }
  }

  /// Returns the records in which a batch has committed final states, with their new counts.
  func recordsSettled(by batch: [CommitWork]) throws(StoreError) -> [Record] {
    var seen = KeySet<RecordID>()
    var records: [Record] = []
    for id in batch.lazy.compactMap(\.finalizedRecord)
    where seen.insert(id) && announcer.isTracked(id) {
      if let record = try store.record(id) { records.append(record) }
    }
    return records
  }

  private func publishOutcome(_ resource: Resource, failure: String?) {
    announcer.completeActivity(resource.id, failed: failure != nil)
    let kind: LibraryEvent.Kind =
      if let failure {
        .failed(resource.id, record: resource.record, url: resource.url, reason: failure)
      } else {
        .finished(resource.id, record: resource.record)
      }
    catalog.emit(kind, of: resource.record)
    standalone.completeRequest(of: resource.id, failure.map { LibraryError(.io, $0) })
  }
}
