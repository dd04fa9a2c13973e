import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// The committer's caller: gathers work into batches, and reports each batch after it is durable.
///
/// While one batch is written to the disk the next one gathers, so that a slow disk leads to larger batches
/// and a single file is not delayed.
extension Engine {
  func commit(_ work: CommitWork) {
    commits.add(work)
    updateDiskBackpressure()
    commitSoon()
  }

  private func updateDiskBackpressure() {
    if let isBehind = pacing.diskBehindChange(commits.count) { send(.diskBehind(isBehind)) }
  }

  /// Starts the next batch: at once, or after a short delay if more work is expected and no caller waits
  /// for this batch.
  func commitSoon() {
    guard committing.task == nil, !commits.isEmpty || pacing.isEvictionDue else { return }
    if !pacing.isEvictionDue, let due = nextBatchTime {
      guard !pacing.isGathering else { return }
      pacing.beginGathering()
      Task { [clock = ports.clock] in
        try? await clock.sleep(until: due)
        pacing.endGathering()
        commitSoon()
      }
      return
    }
    committing.start(Task { await commitAll() })
  }

  /// The time until which the next batch gathers, in seconds on the engine's clock; nil if it is due.
  private var nextBatchTime: Double? {
    let isMoreComing = !transfers.isEmpty || !pageStage.tasks.isEmpty
    guard isMoreComing, !isStopping, !pacing.isAwaited, standalone.waiterCount == 0 else {
      return nil
    }
    return commits.gathersUntil(now: ports.clock.now())
  }

  /// Commits all due batches, and evicts from the caches between them, so that an eviction never removes
  /// files that a batch is naming at the same moment.
  private func commitAll() async {
    while true {
      let isBatchDue = !commits.isEmpty && nextBatchTime == nil
      guard isBatchDue || pacing.isEvictionDue else { break }
      await (try? store)?.catchUp()
      if isBatchDue {
        await commitBatch()
        pacing.wakeWaiters()
        pumpPages()
      }
      if pacing.isEvictionDue { await evict() }
    }
    committing.finish()
    commitSoon()
    notifyIfIdle()
  }

  private func commitBatch() async {
    var batch = Committer.Batch(commits.takeBatch(now: ports.clock.now()))
    guard !batch.work.isEmpty else { return }
    do {
      // In a library that was moved or deleted every file fails; no resource is marked as failed for that.
      guard try await disk.run({ [layout] in layout.isInPlace }) else {
        throw layout.displacement
      }
      try await lookUp(&batch)
      try await committer.makeRoom(for: batch)
      try await writeStoredRows(&batch)
      try await committer.placeFiles(&batch)
      let lost = try await finish(&batch)
      try await announce(batch, lost)
    } catch {
      try? store.commitGroup()
      commits.finishBatch()
      // A verb behind the end of the engine loses nothing by this: the next start finds the same rows.
      if isEnding, case .closed = (error as? StoreError)?.code { return }
      fail(LibraryError.wrapping(error))
    }
  }

  // The steps of a batch; those that concern rows run in parts

  private func lookUp(_ batch: inout Committer.Batch) async throws(StoreError) {
    try await inParts(of: batch.work.count, .lookUp) { part throws(StoreError) in
      try committer.lookUp(part, of: &batch, in: store)
    }
  }

  private func writeStoredRows(_ batch: inout Committer.Batch) async throws(StoreError) {
    try await inParts(of: batch.work.count, .note) { part throws(StoreError) in
      try dropOutdated(part, of: &batch)
      try committer.writeStoredRows(part, of: batch, in: store) { () throws(StoreError) in
        try updateCacheUsage(batch.work[part])
      }
    }
  }

  /// - Returns: The resources whose duplicate is missing.
  private func finish(
    _ batch: inout Committer.Batch
  ) async throws(StoreError) -> Set<ResourceID> {
    var lost: Set<ResourceID> = []
    let ending = batch.ending
    try await inParts(of: ending.count, .finish) { part throws(StoreError) in
      try dropOutdated(ending[part], of: &batch)
      let gone = try committer.finish(ending[part], of: batch, in: store)
      for arrival in gone {
        lost.insert(arrival.resource.id)
        try requeueMissingDuplicate(of: arrival)
      }
    }
    return lost
  }

  /// Publishes the results of a batch, all of which are on the disk.
  private func announce(
    _ batch: Committer.Batch, _ lost: Set<ResourceID>
  ) async throws(StoreError) {
    try await inParts(of: batch.work.count, .tell) { part throws(StoreError) in
      commits.finish(part.count)
      publishCommitted(batch.work[part], lost)
      // The counts of records cover all parts.
      guard part.upperBound == batch.work.count else { return }
      for record in try recordsSettled(by: batch.work) { updateCounts(of: record) }
    }
  }

  /// Runs one step of a batch, one part per turn. The writes of a step's parts form one group, whose commit
  /// has a turn of its own; a step with many widely spread rows uses several commits.
  private func inParts(
    of count: Int, _ step: BatchStep, _ body: (Range<Int>) throws(StoreError) -> Void
  ) async throws(StoreError) {
    var next = 0
    var uncommitted = 0
    while next < count {
      if step.writes { try await untilUnlocked() }
      let start = ports.clock.now()
      let part = next..<min(count, next + pacing.rows(of: step))
      try body(part)
      next = part.upperBound
      pacing.recordDuration(ports.clock.now() - start, of: step)
      uncommitted += part.count
      let isGroupFull = step == .note && uncommitted >= pacing.rows(of: .commit)
      if step.writes, next == count || isGroupFull {
        await Task.yield()
        try commitGroup(of: uncommitted, step)
        uncommitted = 0
      }
      // The announcement begins in the turn of the commit: a client that reads rows and counts events must
      // not see the rows long before the events.
      if step != .finish || next < count { await Task.yield() }
    }
  }

  private func commitGroup(of rows: Int, _ step: BatchStep) throws(StoreError) {
    let start = ports.clock.now()
    try store.commitGroup()
    // The time of a commit that waits for the disk does not depend on the rows, and that of a small one
    // hardly does.
    if step == .note, rows >= pacing.rows(of: .commit) / 2 {
      pacing.recordDuration(ports.clock.now() - start, of: .commit)
    }
  }

  private func dropOutdated(
    _ part: some Collection<Int>, of batch: inout Committer.Batch
  ) throws(StoreError) {
    for index in part where try isOutdated(batch.work[index]) { batch.dropWork(index) }
  }

  /// Whether the pages are of a resource that a verb has queued again since they were begun.
  private func isOutdated(_ work: CommitWork) throws(StoreError) -> Bool {
    guard case .pages(let resource, _) = work, verbs.isUnderWay(on: resource.record) else {
      return false
    }
    let isOutdated = try store.resource(resource.id)?.state != .fetched
    if isOutdated { pageStage.committed(resource.id) }
    return isOutdated
  }

  /// Returns when all work added so far is committed or dropped.
  func flushCommits() async {
    let target = commits.added
    while commits.done < target {
      await withCheckedContinuation { continuation in
        if commits.done >= target {
          continuation.resume()
        } else {
          pacing.wait(continuation)
          commitSoon()
        }
      }
    }
  }

  private func publishCommitted(_ part: ArraySlice<CommitWork>, _ lost: Set<ResourceID>) {
    var committedRows: [ResourceID] = []
    for work in part {
      switch work {
      case .arrival(let arrival):
        guard !lost.contains(arrival.resource.id) else { continue }
        committedRows.append(arrival.resource.id)
        processArrival(arrival)
      case .pages(let resource, let change):
        pageStage.committed(resource.id)
        if case .failed(_, let reason, _) = change {
          publishOutcome(resource, failure: reason)
        } else {
          publishOutcome(resource, failure: nil)
        }
      case .failed(let resource, let reason):
        committedRows.append(resource.id)
        publishOutcome(resource, failure: reason)
      case .answered(let resource, let failure):
        committedRows.append(resource.id)
        announcer.suspend(resource.id)
        wakeWaiters(for: resource, failure)
      case .removed, .partial, .partialGone, .discardPartial, .confirmed, .dropped: break
      }
    }
    if !committedRows.isEmpty { send(.settled(committedRows)) }
    updateDiskBackpressure()
    evictIfNeeded()
  }

  /// Queues the resource for a download, because the file that it was to share is missing.
  private func requeueMissingDuplicate(of arrival: CommitWork.Arrival) throws(StoreError) {
    guard case .existing(let held) = arrival.origin else { return }
    var resource = arrival.resource
    resource.file = nil
    // No other resource is to share the missing file.
    try store.apply([.answering(held.resource, nil)], durable: false)
    announcer.suspend(resource.id)
    let name = name(
      resource.url, resource.fields, isPublic: isPublic(resource.record))
    let record = records[resource.record]
    let isOnDemand = record?.isLazy ?? true
    let subscriber = Job.Subscriber(
      resource: resource, base: Precedence(record?.priority ?? .normal),
      raised: isOnDemand ? .visible : nil, isOnDemand: isOnDemand)
    let item = Scheduler.Item(
      subscriber: subscriber, request: name.request, host: name.host, location: name.location)
    send(.lost([item], gone: held.resource))
  }

  private func processArrival(_ arrival: CommitWork.Arrival) {
    let resource = arrival.resource
    guard case .fetched = arrival.followUp else { return publishOutcome(resource, failure: nil) }
    // The record was removed while the batch was being committed.
    guard !records.isRemoved(resource.record) else { return }
    if pageStage.add(resource, file: arrival.file) {
      announcer.stage(resource.id, .rendering)
    } else {
      // Only resources being processed have a progress.
      announcer.suspend(resource.id)
    }
  }

  /// Returns the records in which a batch has settled resources, with their new counts.
  private func recordsSettled(by batch: [CommitWork]) throws(StoreError) -> [Record] {
    var seen = KeySet<RecordID>()
    var records: [Record] = []
    for id in batch.lazy.compactMap(\.settledRecord)
    where seen.insert(id) && announcer.isTracked(id) {
      if let record = try store.record(id) { records.append(record) }
    }
    return records
  }

  /// Updates the progress of a record from the counts of its row, so that a resource that was settled twice
  /// counts once.
  func updateCounts(of record: Record) {
    guard announcer.isTracked(record.id), !records.isRemoved(record.id) else { return }
    if record.counts.settled == record.counts.total { records.removeBegin(of: record.id) }
    announcer.count(record)
  }

  private func publishOutcome(_ resource: Resource, failure: String?) {
    announcer.completeActivity(resource.id, failed: failure != nil)
    let kind: LibraryEvent.Kind =
      if let failure {
        .failed(resource.id, record: resource.record, url: resource.url, reason: failure)
      } else {
        .finished(resource.id, record: resource.record)
      }
    emit(kind, of: resource.record)
    wakeWaiters(for: resource, failure.map { LibraryError(.io, $0) })
  }

  /// Emits an event, unless the resource is a standalone one: those concern only the callers waiting for
  /// them.
  func emit(_ kind: LibraryEvent.Kind, of record: RecordID) {
    if record != standalone.record { announcer.emit(kind) }
  }
}
