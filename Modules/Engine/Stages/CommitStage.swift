import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// Gathers work into batches, commits them with `Committer`, and announces each batch after it is durable.
///
/// While one batch is written to the disk the next one gathers, so that a slow disk leads to larger batches
/// and a single file is not delayed.
final class CommitStage: Stage {
  private(set) var queue = CommitQueue()
  private(set) var pacing = CommitPacing()
  private let committer: Committer
  /// Commits batches and runs evictions, one after the other.
  private(set) var committing = Worker()
  /// The number of writes of rows that must be synced before the next file gets its name. The initial value
  /// is 1, because rows of an earlier process may not be synced.
  private var rowMark = 1
  /// The value of `rowMark` that the last sync covers.
  private var syncedRowMark = 0

  override init(_ stages: Stages) {
    let context = stages.context
    committer = Committer(layout: context.layout, disk: context.disk, sync: context.sync)
    super.init(stages)
  }

  /// Whether no work waits for a batch and none is being committed.
  var isAtRest: Bool { queue.count == 0 && committing.task == nil }

  /// Whether a change to the partial file of a request is uncommitted.
  func hasUncommittedChange(of request: RequestKey) -> Bool {
    queue.hasUncommittedChange(of: request)
  }

  /// Sets the bounds on the number of rows of a batch that one turn handles.
  func setPartSizes(_ rows: ClosedRange<Int>) { pacing = CommitPacing(rows: rows) }

  // MARK: - Gathering

  func add(_ work: CommitWork) {
    stages.checkIsolation()
    queue.enqueue(work)
    updateDiskBackpressure()
    commitSoon()
  }

  private func updateDiskBackpressure() {
    if let isBehind = pacing.diskBehindChange(queue.count) { transfers.send(.diskBehind(isBehind)) }
  }

  /// Starts the next batch: at once, or after a short delay if more work is expected and no caller waits
  /// for this batch.
  private func commitSoon() {
    guard committing.task == nil, !queue.isEmpty || pacing.isEvictionDue else { return }
    if !pacing.isEvictionDue, let due = nextBatchTime {
      guard !pacing.isGathering else { return }
      pacing.beginGathering()
      stages.spawn { stages in
        try? await stages.context.ports.clock.sleep(until: due)
        stages.commits.endGathering()
      }
      return
    }
    committing.start(stages.spawn { await $0.commits.commitAll() })
  }

  private func endGathering() {
    pacing.endGathering()
    commitSoon()
  }

  /// The time until which the next batch gathers, in seconds on the engine's clock; nil if it is due.
  private var nextBatchTime: Double? {
    let isMoreComing = transfers.isAnyRunning || pages.isMaking
    guard isMoreComing, !lifecycle.isStopping, !pacing.isAwaited, standalone.waiterCount == 0 else {
      return nil
    }
    return queue.gathersUntil(now: ports.clock.now())
  }

  /// Commits all due batches, and evicts from the caches between them, so that an eviction never removes
  /// files that a batch is naming at the same moment.
  private func commitAll() async {
    while true {
      let isBatchDue = !queue.isEmpty && nextBatchTime == nil
      guard isBatchDue || pacing.isEvictionDue else { break }
      await (try? store)?.catchUp()
      if isBatchDue {
        await commitBatch()
        pacing.wakeWaiters()
        pages.pump()
      }
      if pacing.isEvictionDue { await stages.evictions.evict() }
    }
    committing.finish()
    commitSoon()
    lifecycle.notifyIfIdle()
  }

  private func commitBatch() async {
    var batch = Committer.Batch(queue.dequeueBatch(now: ports.clock.now()))
    guard !batch.work.isEmpty else { return }
    do {
      // In a library that was moved or deleted every file operation fails. That is an error of the
      // library, so no resource is marked as failed.
      guard try await disk.run({ [layout] in layout.isInPlace }) else {
        throw layout.displacement
      }
      try await lookUp(&batch)
      try await committer.makeRoom(for: batch)
      try await writeStoredRows(&batch)
      if committer.mustSyncRows(of: batch) { try await syncOutstandingRows() }
      try await committer.placeFiles(&batch)
      if batch.hasLongNames { try await shortenNames(of: &batch) }
      try await committer.removeRefused(batch)
      let lost = try await writeFinalRows(&batch)
      if committer.mustSyncRows(of: batch) { try await syncRows() }
      try await announce(batch, lost)
    } catch {
      try? store.commitGroup()
      queue.finishBatch()
      // A verb that runs while the engine ends finds the store closed, which is no failure: the next start
      // finds the same rows.
      if lifecycle.isEnding, case .closed = (error as? StoreError)?.code { return }
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }

  // MARK: - Syncs of rows

  /// Requires that the rows written so far are synced before the next file gets its name: after a crash,
  /// only the rows tell to which resource a file belongs.
  func requireRowSync() { rowMark += 1 }

  /// Returns when all rows written so far are on the disk; at once if results need not survive a power cut.
  func syncRows() async throws(StoreError) {
    let mark = rowMark
    if sync.isEnabled { try await store.sync() }
    syncedRowMark = max(syncedRowMark, mark)
  }

  /// Syncs the rows if `requireRowSync` was called since the last sync.
  func syncOutstandingRows() async throws(StoreError) {
    if syncedRowMark < rowMark { try await syncRows() }
  }

  // MARK: - The steps of a batch; those that concern rows run in parts

  private func lookUp(_ batch: inout Committer.Batch) async throws(StoreError) {
    try await inParts(of: batch.work.count, .lookUp) { part throws(StoreError) in
      try committer.lookUp(part, of: &batch, in: store)
    }
  }

  private func writeStoredRows(_ batch: inout Committer.Batch) async throws(StoreError) {
    try await inParts(of: batch.work.count, .writeStoredRows) { part throws(StoreError) in
      try dropSupersededPages(part, of: &batch)
      try committer.writeStoredRows(part, of: batch, in: store) { () throws(StoreError) in
        try stages.evictions.updateUsage(batch.work[part])
      }
    }
  }

  /// Shortens names that are too long for the file system, and places their files. As for every file, the row
  /// with the new name comes first.
  private func shortenNames(of batch: inout Committer.Batch) async throws {
    let probe = LibraryProbe(layout: layout)
    let known = context.nameLimit.length
    guard let limit = try await disk.run({ probe.longestName(upTo: known) }) else { return }
    context.nameLimit.lower(to: limit)
    let changed = batch.shortenNames(to: limit)
    try await inParts(of: changed.count, .writeStoredRows) { part throws(StoreError) in
      try committer.rewriteStoredRows(changed[part], of: batch, in: store)
    }
    if committer.mustSyncRows(of: batch) { try await syncRows() }
    try await committer.placeFiles(&batch)
  }

  /// Writes the final states of the batch's rows.
  /// - Returns: The resources whose duplicate is missing.
  private func writeFinalRows(
    _ batch: inout Committer.Batch
  ) async throws(StoreError) -> Set<ResourceID> {
    var lost: Set<ResourceID> = []
    let ending = batch.workWithFinalRows
    try await inParts(of: ending.count, .finish) { part throws(StoreError) in
      try dropSupersededPages(ending[part], of: &batch)
      let gone = try committer.writeFinalRows(ending[part], of: batch, in: store)
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
    try await inParts(of: batch.work.count, .announce) { part throws(StoreError) in
      queue.recordCompletion(of: part.count)
      try publishCommitted(batch.work[part], lost, batch.refusals)
      updateDiskBackpressure()
      evictIfNeeded()
      // The counts are updated after the last part, because the rows of records count the whole batch.
      guard part.upperBound == batch.work.count else { return }
      for record in try recordsSettled(by: batch.work) { catalog.updateCounts(of: record) }
    }
  }

  /// Runs one step of a batch, one part per turn. The writes of a step's parts form one group, whose commit
  /// has a turn of its own. The step `writeStoredRows` uses several commits if it writes many rows.
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
      let isGroupFull = step == .writeStoredRows && uncommitted >= pacing.rows(of: .commit)
      if step.writes, next == count || isGroupFull {
        await Task.yield()
        try commitGroup(of: uncommitted, step)
        uncommitted = 0
      }
      await Task.yield()
    }
  }

  private func commitGroup(of rows: Int, _ step: BatchStep) throws(StoreError) {
    let start = ports.clock.now()
    try store.commitGroup()
    // The time of a small commit hardly depends on the number of rows.
    if step == .writeStoredRows, rows >= pacing.rows(of: .commit) / 2 {
      pacing.recordDuration(ports.clock.now() - start, of: .commit)
    }
  }

  /// Drops pages of resources that a verb has queued again since the work on the pages began. The check and
  /// the writing of the rows are in one turn.
  private func dropSupersededPages(
    _ part: some Collection<Int>, of batch: inout Committer.Batch
  ) throws(StoreError) {
    for index in part {
      guard case .pages(let resource, _) = batch.work[index], try isSuperseded(resource) else {
        continue
      }
      batch.dropWork(index)
      pages.committed(resource.id)
      // The pages are not announced, so nothing else ends the activity.
      announcer.suspend(resource.id)
    }
  }

  private func isSuperseded(_ resource: Resource) throws(StoreError) -> Bool {
    guard stages.verbs.isUnderWay(on: resource.record) else { return false }
    return try store.resource(resource.id)?.state != .fetched
  }

  /// Drops the pending work of a record.
  /// - Returns: The ids of the resources whose work was dropped.
  func dropWork(_ record: RecordID) -> [ResourceID] { queue.dropWork(record) }

  /// Returns when no batch and no eviction is under way.
  func waitUntilAtRest() async {
    while let task = committing.task { await task.value }
  }

  // MARK: - Evictions

  /// Requests an eviction between two batches, or at once if none is being committed.
  func evictIfNeeded() {
    guard pacing.isEvictionDue || !context.written.isEmpty else { return }
    pacing.requestEviction()
    commitSoon()
  }

  /// Requests an eviction after the current or the next batch.
  func requestEviction() { pacing.requestEviction() }

  /// Clears the request for an eviction, because it begins or is abandoned.
  func clearEviction() { pacing.clearEviction() }

  // MARK: - Announcing

  /// Returns when all work that was queued before the call is committed or dropped.
  func flush() async {
    let target = queue.addedCount
    while queue.completedCount < target {
      await withCheckedContinuation { continuation in
        if queue.completedCount >= target {
          continuation.resume()
        } else {
          pacing.addWaiter(continuation)
          commitSoon()
        }
      }
    }
  }
}
