import Models
import Persistence
import ProgressTree

/// The performer around `PageStage`.
extension Engine {
  func pumpPages() async {
    guard isStarted, !isStopping else { return }
    if pageStage.shouldLook() { await lookForFetched() }
    while let work = pageStage.take() {
      guard let record = records[work.resource.record] else {
        pageStage.abandoned(work.resource.id)
        continue
      }
      start(work, record)
    }
  }

  private func lookForFetched() async {
    do {
      let found = try await store.resources(
        in: .fetched, after: nil, limit: PageStage.queueLimit)
      for resource in found where records[resource.record] == nil {
        records[resource.record] = try await store.record(resource.record)
      }
      pageStage.looked(
        found.compactMap { resource in
          resource.file.map { PageStage.Work(resource: resource, file: $0) }
        }, isAll: found.count < PageStage.queueLimit)
    } catch {
      pageStage.looked([], isAll: true)
      fail(EngineError.wrapping(error))
    }
  }

  private func start(_ work: PageStage.Work, _ record: Record) {
    let id = work.resource.id
    let maker = PageMaker(
      layout: layout, settings: settings, renderer: ports.renderer, archive: ports.archive,
      unzipping: unzipping, progress: ports.progress)
    _ = ports.progress.begin(id, in: record.id, label: work.resource.url)
    pageStage.tasks[id] = Task {
      do {
        let result = try await maker.make(work.resource, file: work.file, record: record)
        await made(result, work)
      } catch {
        await broken(error, work)
      }
    }
  }

  private func made(_ result: PageMaker.Result, _ work: PageStage.Work) async {
    let id = work.resource.id
    pageStage.ended(id)
    let change: ResourceChange =
      result.isFailure
      ? .failed(id, reason: result.reason ?? "cannot be shown", pages: result.pages)
      : .finished(id, pages: result.pages, reason: result.reason)
    await commit(.change(change))
    await pumpPages()
  }

  private func broken(_ error: any Error, _ work: PageStage.Work) async {
    pageStage.abandoned(work.resource.id)
    ports.progress.suspend(work.resource.id)
    if !(error is CancellationError) { fail(EngineError.wrapping(error)) }
    await pumpPages()
    noteIfIdle()
  }
}
