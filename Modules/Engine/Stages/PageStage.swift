import LibraryAPI
import Models
import Persistence
import ProgressTree

/// Turns originals into pages: runs the work that `PageQueue` selects, and commits its results.
final class PageStage: Stage {
  private(set) var queue: PageQueue

  override init(_ stages: Stages) {
    queue = PageQueue(width: PageQueue.width(stages.context.settings))
    super.init(stages)
  }

  /// Replaces the queue by an empty one.
  /// - Parameter journal: The journal of the resources whose processing an earlier process began.
  func resetQueue(journal: PageWorkJournal = PageWorkJournal()) {
    suspendActivity(of: queue.waiting)
    queue = PageQueue(width: PageQueue.width(settings), journal: journal)
  }

  var isIdle: Bool { queue.isIdle }

  /// Whether pages are being made.
  var isMaking: Bool { !queue.tasks.isEmpty }

  /// Looks for originals in the store at the next `pump`.
  func requestStoreLookup() { queue.requestStoreLookup() }

  /// Adds an original to the queue.
  /// - Returns: Whether the resource will be processed soon.
  func add(_ resource: Resource, file: StoredFile) -> Bool { queue.add(resource, file: file) }

  /// Records that the row of a resource was written.
  func committed(_ id: ResourceID) { queue.committed(id) }

  /// Records that the processing was interrupted, and ends the activity of the resource, which stays
  /// `fetched` in the store.
  func abandoned(_ id: ResourceID) {
    queue.abandoned(id)
    announcer.suspend(id)
  }

  /// Begins all work that may begin now.
  func pump() {
    guard lifecycle.isStarted, !lifecycle.isStopping else { return }
    repeat {
      if queue.beginQuery() { queryFetched() }
    } while queue.needsImmediateQuery && !lifecycle.isStopping
    guard !lifecycle.isStopping else { return }
    writePageJournal()
    while !lifecycle.isStopping, let work = queue.dequeue() {
      if let record = records[work.resource.record] {
        startPageMaking(work, record)
      } else {
        abandoned(work.resource.id)
      }
    }
    lifecycle.notifyIfIdle()
  }

  /// Writes the journal of the resources about to be processed to the store.
  private func writePageJournal() {
    while !lifecycle.isStopping, let work = queue.journalToWrite() {
      do throws(StoreError) {
        try store.setPageWork(work)
        queue.journalWritten(true)
      } catch {
        queue.journalWritten(false)
        lifecycle.fail(LibraryError.wrapping(error))
      }
    }
  }

  private func queryFetched() {
    do {
      let found = try store.resources(
        in: .fetched, of: nil, after: nil, limit: PageQueue.queueLimit)
      try catalog.loadRecords(of: found)
      queue.enqueueFetched(
        found.compactMap { resource in
          guard let file = resource.file, !records.isRemoved(resource.record) else { return nil }
          return PageQueue.Work(resource: resource, file: file)
        }, isAll: found.count < PageQueue.queueLimit)
    } catch {
      queue.enqueueFetched([], isAll: true)
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }

  private func startPageMaking(_ work: PageQueue.Work, _ record: Record) {
    let id = work.resource.id
    let maker = maker(for: record)
    announcer.beginActivity(id, in: record.id, label: work.resource.url)
    let task = Task { @concurrent [engine = stages.engine] in
      do {
        let result = try await maker.make(work.resource, file: work.file, record: record)
        await engine.run { await $0.pages.commitPages(result, work) }
      } catch {
        await engine.run { await $0.pages.handleFailure(error, work) }
      }
    }
    queue.started(work, task)
  }

  /// Returns a page maker with the limits of the record.
  /// - Parameter password: The password of an encrypted original.
  func maker(for record: Record, _ password: DocumentPassword? = nil) -> PageMaker {
    PageMaker(
      layout: layout, settings: settings, limits: settings.limits(for: record),
      renderer: ports.renderer, archive: ports.archive, unzipping: context.unzipping,
      writing: context.renditions, written: context.written, progress: ports.progress,
      password: password)
  }

  private func commitPages(_ result: PageMaker.Result, _ work: PageQueue.Work) async {
    let id = work.resource.id
    guard !records.isRemoved(work.resource.record) else {
      abandoned(id)
      commits.evictIfNeeded()
      // The resource may have been the last one being processed, and `pump` checks whether the engine is
      // idle.
      return pump()
    }
    queue.workEnded(id)
    if result.isMissing { return await requeueMissingOriginal(work) }
    let reason = work.resource.reason
    let remark =
      work.file.remark ?? ServiceRemark(in: reason)?.text ?? ReloadRemark(in: reason)?.text
    let change: ResourceChange =
      result.isFailure
      ? .failed(id, reason: result.reason ?? "cannot be shown", pages: result.pages)
      : .finished(id, pages: result.pages, reason: ServiceRemark.joined(remark, result.reason))
    commits.add(.pages(work.resource, change))
    pump()
  }

  /// Queues a resource again whose original was deleted before its pages were made.
  private func requeueMissingOriginal(_ work: PageQueue.Work) async {
    let id = work.resource.id
    announcer.suspend(id)
    do {
      try await untilUnlocked()
      try store.apply([.requeued(id, reason: "its file was missing")])
      queue.committed(id)
    } catch {
      lifecycle.fail(LibraryError.wrapping(error))
    }
    transfers.send(.duplicateMissing([], missing: id))
    transfers.queueChanged()
    pump()
  }

  private func handleFailure(_ error: any Error, _ work: PageQueue.Work) async {
    abandoned(work.resource.id)
    commits.evictIfNeeded()
    if records.isRemoved(work.resource.record) { return pump() }
    if error is CancellationError { return lifecycle.isStopping ? () : pump() }
    lifecycle.fail(LibraryError.wrapping(error))
  }

  // MARK: - Ends of work

  /// Drops the waiting work of a record, cancels the running one and returns when it has ended.
  func endWork(of record: RecordID) async {
    dropWork(of: record)
    let tasks = queue.tasks.values.filter { $0.record == record }.map(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Drops the waiting work of a record.
  func dropWork(of record: RecordID) { suspendActivity(of: queue.dropWork(record)) }

  /// Ends the activity of resources that wait for page work; it began when their files arrived.
  private func suspendActivity(of resources: Set<ResourceID>) {
    for id in resources { announcer.suspend(id) }
  }

  func cancelAll() {
    for work in queue.tasks.values { work.task.cancel() }
  }

  /// Returns when no pages are being made.
  func endAll() async {
    while let work = queue.tasks.first?.value { await work.task.value }
  }

  /// Writes the journal after the last page work of the engine. A failure is ignored, since the engine ends
  /// anyway: the next engine then has an older journal, and may suspect resources without a reason.
  func writeJournalAtRest() { try? store.setPageWork(queue.idleJournal) }
}
