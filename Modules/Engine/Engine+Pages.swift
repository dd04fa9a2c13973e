import LibraryAPI
import Models
import Persistence
import ProgressTree

/// Performs the actions of `PageStage`.
extension Engine {
  func pumpPages() {
    guard isStarted, !isStopping else { return }
    repeat {
      if pageStage.shouldLook() { lookForFetched() }
    } while pageStage.mustLookAtOnce && !isStopping
    guard !isStopping else { return }
    writePageJournal()
    while !isStopping, let work = pageStage.dequeue() {
      if let record = records[work.resource.record] {
        start(work, record)
      } else {
        pageStage.abandoned(work.resource.id)
      }
    }
    notifyIfIdle()
  }

  /// Writes the journal of the resources about to be processed to the store.
  private func writePageJournal() {
    while !isStopping, let work = pageStage.journalToWrite() {
      do throws(StoreError) {
        try store.setPageWork(work)
        pageStage.journalWritten(true)
      } catch {
        pageStage.journalWritten(false)
        fail(LibraryError.wrapping(error))
      }
    }
  }

  private func lookForFetched() {
    do {
      let found = try store.resources(
        in: .fetched, of: nil, after: nil, limit: PageStage.queueLimit)
      try loadRecords(of: found)
      pageStage.enqueueFetched(
        found.compactMap { resource in
          guard let file = resource.file, !records.isRemoved(resource.record) else { return nil }
          return PageStage.Work(resource: resource, file: file)
        }, isAll: found.count < PageStage.queueLimit)
    } catch {
      pageStage.enqueueFetched([], isAll: true)
      fail(LibraryError.wrapping(error))
    }
  }

  private func start(_ work: PageStage.Work, _ record: Record) {
    let id = work.resource.id
    let maker = pageMaker(for: record)
    announcer.beginActivity(id, in: record.id, label: work.resource.url)
    let task = Task { @concurrent in
      do {
        let result = try await maker.make(work.resource, file: work.file, record: record)
        await self.commitPages(result, work)
      } catch {
        await self.handleFailure(error, work)
      }
    }
    pageStage.started(work, task)
  }

  /// - Parameter password: The password of an encrypted original.
  func pageMaker(for record: Record, _ password: DocumentPassword? = nil) -> PageMaker {
    PageMaker(
      layout: layout, settings: settings, limits: settings.limits(for: record),
      renderer: ports.renderer, archive: ports.archive, unzipping: unzipping, writing: renditions,
      written: written, progress: ports.progress, password: password)
  }

  private func commitPages(_ result: PageMaker.Result, _ work: PageStage.Work) async {
    let id = work.resource.id
    guard !records.isRemoved(work.resource.record) else {
      pageStage.abandoned(id)
      evictIfNeeded()
      // The resource may have been the last one being processed.
      return pumpPages()
    }
    pageStage.workEnded(id)
    if result.isMissing { return await requeueMissingOriginal(work) }
    let change: ResourceChange =
      result.isFailure
      ? .failed(id, reason: result.reason ?? "cannot be shown", pages: result.pages)
      : .finished(id, pages: result.pages, reason: result.reason)
    commit(.pages(work.resource, change))
    pumpPages()
  }

  /// Queues a resource again whose original was deleted before its pages were made.
  private func requeueMissingOriginal(_ work: PageStage.Work) async {
    let id = work.resource.id
    announcer.suspend(id)
    do {
      try await untilUnlocked()
      try store.apply([.requeued(id, reason: "its file was gone")], durable: false)
      pageStage.committed(id)
    } catch {
      fail(LibraryError.wrapping(error))
    }
    send(.lost([], gone: id))
    queueChanged()
    pumpPages()
  }

  private func handleFailure(_ error: any Error, _ work: PageStage.Work) async {
    pageStage.abandoned(work.resource.id)
    announcer.suspend(work.resource.id)
    evictIfNeeded()
    if records.isRemoved(work.resource.record) { return pumpPages() }
    if error is CancellationError { return isStopping ? () : pumpPages() }
    fail(LibraryError.wrapping(error))
  }
}
