import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// What happens around the committer: on the way in and after a batch is durable.
///
/// While one batch is on its way to the disk the next one gathers, so a slow disk makes larger
/// batches and a single file does not wait.
extension Engine {
  func commit(_ work: CommitWork) {
    commits.add(work)
    noteIfDiskIsBehind()
    commitSoon()
  }

  private func noteIfDiskIsBehind() {
    if let isBehind = pacing.diskBehindChange(commits.count) { send(.diskBehind(isBehind)) }
  }

  /// Begins with the next batch: at once, or a moment after the one before where more is about to
  /// come and nobody waits.
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
    committing.begin(Task { await commitAll() })
  }

  /// Until when the next batch gathers, on the engine's clock; nil means it is due.
  private var nextBatchTime: Double? {
    let isMoreComing = !transfers.isEmpty || !pageStage.tasks.isEmpty
    guard isMoreComing, !isStopping, !pacing.isAwaited, standalone.waiterCount == 0 else {
      return nil
    }
    return commits.gathersUntil(now: ports.clock.now())
  }

  /// One batch after the other, and between two of them what the caches have to give up: what a batch says
  /// is there, an eviction does not remove at the same moment.
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
    committing.end()
    commitSoon()
    noteIfIdle()
  }

  private func commitBatch() async {
    var batch = Committer.Batch(commits.takeBatch(now: ports.clock.now()))
    guard !batch.work.isEmpty else { return }
    do {
      // A library that was moved or deleted fails every file; no resource is marked as failed for it.
      guard try await disk.run({ [layout] in layout.isInPlace }) else {
        throw layout.displacement
      }
      try await lookUp(&batch)
      try await committer.makeRoom(for: batch)
      try await note(&batch)
      try await committer.settle(&batch)
      let lost = try await finish(&batch)
      try await announce(batch, lost)
    } catch {
      try? store.commitGroup()
      commits.finishBatch()
      // Nothing is lost by what a verb wrote behind the end: the next start finds the same.
      if isEnding, case .closed = (error as? StoreError)?.code { return }
      fail(LibraryError.wrapping(error))
    }
  }

  // The steps of a batch: what concerns rows, in parts

  private func lookUp(_ batch: inout Committer.Batch) async throws(StoreError) {
    try await inParts(of: batch.work.count, .lookUp) { part throws(StoreError) in
      try committer.lookUp(part, of: &batch, in: store)
    }
  }

  private func note(_ batch: inout Committer.Batch) async throws(StoreError) {
    try await inParts(of: batch.work.count, .note) { part throws(StoreError) in
      try dropOutdated(part, of: &batch)
      try committer.note(part, of: batch, in: store) { () throws(StoreError) in
        try updateCacheUsage(batch.work[part])
      }
    }
  }

  /// - Returns: of which the duplicate is not there any more.
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

  /// Tells everybody what became of a batch, all of which is on the disk.
  private func announce(
    _ batch: Committer.Batch, _ lost: Set<ResourceID>
  ) async throws(StoreError) {
    try await inParts(of: batch.work.count, .tell) { part throws(StoreError) in
      commits.finish(part.count)
      committed(batch.work[part], lost)
      // The counts of records concern all parts.
      guard part.upperBound == batch.work.count else { return }
      for record in try recordsSettled(by: batch.work) { count(record) }
    }
  }

  /// Does one step of a batch, a part in each turn. What the parts of a step write is one group, whose commit
  /// has a turn of its own; where rows are many and far apart, a commit has fewer of them.
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
      pacing.note(ports.clock.now() - start, of: step)
      uncommitted += part.count
      let isGroupFull = step == .note && uncommitted >= pacing.rows(of: .commit)
      if step.writes, next == count || isGroupFull {
        await Task.yield()
        try commitGroup(of: uncommitted, step)
        uncommitted = 0
      }
      // The announcement begins in the turn of the commit: a client that reads rows and counts events does not
      // see the rows long before the events.
      if step != .finish || next < count { await Task.yield() }
    }
  }

  private func commitGroup(of rows: Int, _ step: BatchStep) throws(StoreError) {
    let start = ports.clock.now()
    try store.commitGroup()
    // A commit that waits for the disk says nothing about rows, and one of few rows little.
    if step == .note, rows >= pacing.rows(of: .commit) / 2 {
      pacing.note(ports.clock.now() - start, of: .commit)
    }
  }

  private func dropOutdated(
    _ part: some Collection<Int>, of batch: inout Committer.Batch
  ) throws(StoreError) {
    for index in part where try isOutdated(batch.work[index]) { batch.drop(index) }
  }

  /// Pages of a resource that a verb has put back into the queue since they were begun.
  private func isOutdated(_ work: CommitWork) throws(StoreError) -> Bool {
    guard case .pages(let resource, _) = work, verbs.isUnderWay(on: resource.record) else {
      return false
    }
    let isOutdated = try store.resource(resource.id)?.state != .fetched
    if isOutdated { pageStage.committed(resource.id) }
    return isOutdated
  }

  /// Returns when everything added so far is dealt with.
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

  private func committed(_ part: ArraySlice<CommitWork>, _ lost: Set<ResourceID>) {
    var committedRows: [ResourceID] = []
    for work in part {
      switch work {
      case .arrival(let arrival):
        guard !lost.contains(arrival.resource.id) else { continue }
        committedRows.append(arrival.resource.id)
        arrived(arrival)
      case .pages(let resource, let change):
        pageStage.committed(resource.id)
        if case .failed(_, let reason, _) = change {
          settled(resource, failure: reason)
        } else {
          settled(resource, failure: nil)
        }
      case .givenUp(let resource, let reason):
        committedRows.append(resource.id)
        settled(resource, failure: reason)
      case .answered(let resource, let failure):
        committedRows.append(resource.id)
        announcer.suspend(resource.id)
        wakeWaiters(for: resource, failure)
      case .removed, .partial, .partialGone, .litter, .confirmed, .dropped: break
      }
    }
    if !committedRows.isEmpty { send(.settled(committedRows)) }
    noteIfDiskIsBehind()
    evictIfNeeded()
  }

  /// What was to be linked is gone: it is fetched after all.
  private func requeueMissingDuplicate(of arrival: CommitWork.Arrival) throws(StoreError) {
    guard case .twin(let held) = arrival.origin else { return }
    var resource = arrival.resource
    resource.file = nil
    // Nothing else is linked to it.
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
      subscriber: subscriber, request: name.request, host: name.host, url: name.url)
    send(.lost([item], gone: held.resource))
  }

  private func arrived(_ arrival: CommitWork.Arrival) {
    let resource = arrival.resource
    guard case .fetched = arrival.followUp else { return settled(resource, failure: nil) }
    // Its record was removed while the batch was on its way.
    guard !records.isRemoved(resource.record) else { return }
    if pageStage.add(resource, file: arrival.file) {
      announcer.stage(resource.id, .rendering)
    } else {
      // Only what is active owns a progress.
      announcer.suspend(resource.id)
    }
  }

  /// The records in which a batch has settled something, with their counts after it.
  private func recordsSettled(by batch: [CommitWork]) throws(StoreError) -> [Record] {
    var seen = KeySet<RecordID>()
    var records: [Record] = []
    for id in batch.lazy.compactMap(\.settledRecord)
    where seen.insert(id) && announcer.isTracked(id) {
      if let record = try store.record(id) { records.append(record) }
    }
    return records
  }

  /// What the progress counts is what the rows say, whatever led to them: a resource that was
  /// settled twice counts once.
  func count(_ record: Record) {
    guard announcer.isTracked(record.id), !records.isRemoved(record.id) else { return }
    if record.counts.settled == record.counts.total { records.removeBegin(of: record.id) }
    announcer.count(record)
  }

  private func settled(_ resource: Resource, failure: String?) {
    announcer.settle(resource.id, failed: failure != nil)
    let kind: LibraryEvent.Kind =
      if let failure {
        .failed(resource.id, record: resource.record, url: resource.url, reason: failure)
      } else {
        .finished(resource.id, record: resource.record)
      }
    tell(kind, of: resource.record)
    wakeWaiters(for: resource, failure.map { LibraryError(.io, $0) })
  }

  /// What no record owns is nobody's news but that of those who wait for it.
  func tell(_ kind: LibraryEvent.Kind, of record: RecordID) {
    if record != standalone.record { announcer.emit(kind) }
  }
}
