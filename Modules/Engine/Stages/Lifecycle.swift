import LibraryAPI
import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Threading
import Transport

/// Starts, suspends for a reset, fails and stops all work of the engine, and reports when no work is left.
final class Lifecycle: Stage {
  private(set) var isStarted = false
  private var isStarting = false
  /// The records with named resources that the start has left in the queue; nil once the queue is worked on.
  private var waitingNamed: [RecordID]? = []
  private(set) var isStopping = false
  private var isStopped = false
  /// Whether `stop` was called.
  private(set) var isEnding = false
  /// Whether no work was left when the engine was stopped.
  private var wasIdle = false
  private(set) var failure: LibraryError?
  /// The full disk that kept recovery from completing commits; nil if there was none.
  private(set) var postponedFailure: LibraryError?
  /// The size of the files of these commits.
  private(set) var postponedBytes: Int64 = 0
  /// The number of long operations, such as removals, renewals of pages and requests for visible resources,
  /// that have further turns to run.
  private(set) var partCount = 0

  /// Begins all unfinished work of the library; after a start without the queue, also that of the queue.
  func start(takesQueue: Bool) async throws {
    if isStarted, takesQueue, let named = waitingNamed {
      waitingNamed = nil
      pages.requestStoreLookup()
      transfers.queueChanged()
      passRequested(named)
      return pages.pump()
    }
    guard !isStarted, !isStarting else { return }
    isStarting = true
    defer { isStarting = false }
    let named = try catalog.trackUnsettledRecords()
    isStarted = true
    waitingNamed = takesQueue ? nil : named
    do {
      try await disk.run { [layout] in try DiskReserve(layout).restore() }
    } catch {
      return fail(LibraryError.wrapping(error))
    }
    // Downloads would use the space that the files of the postponed commits need.
    if let postponedFailure { return fail(postponedFailure) }
    // The scheduler is paused until the engine starts, even if the library is not paused.
    if !stages.verbs.libraryState.isPaused { transfers.send(.paused(false)) }
    if takesQueue {
      pages.requestStoreLookup()
      transfers.queueChanged()
    } else {
      stages.viewports.refreshAll()
    }
    passRequested(takesQueue ? named : [])
    stages.removals.finishRemovals()
    // The cache limits may differ from those of an earlier run.
    commits.evictIfNeeded()
    pages.pump()
  }

  func stop() async {
    guard !isStopped, !isEnding else { return }
    isEnding = true
    wasIdle = isIdle || wasIdle
    await stages.sourceFiles.endAll()
    await quiesce()
    pages.writeJournalAtRest()
    await ports.transport.shutdown()
    await ports.renderer.shutdown()
    await context.closeStore()
    // Restores the reserve, which a full disk may have used up; if that fails, the next engine tries again.
    try? await disk.run { [layout] in try DiskReserve(layout).restore() }
    isStopped = true
    standalone.failAll(LibraryError(.interrupted, ""))
    announcer.endEvents()
    context.releaseLock()
    announcer.wakeWaiters()
  }

  /// Makes `start` fail with an error, because recovery has left files that need space. Until then the verbs work.
  /// - Parameter bytes: The size of these files.
  func postpone(_ error: LibraryError, bytes: Int64) {
    postponedFailure = postponedFailure ?? error
    postponedBytes &+= max(0, bytes)
  }

  private var shortage: DiskShortage {
    DiskShortage(
      free: try? layout.folder.root().freeBytes(),
      lacksFiles: (try? layout.folder.root().hasNoFreeFiles()) ?? false,
      active: ports.progress.snapshot().active,
      postponed: postponedBytes)
  }

  /// Stops the engine after an error that it cannot recover from. Finished resources stay finished.
  func fail(_ error: LibraryError) {
    guard failure == nil, !isStopped else { return }
    let error = error.code == .diskFull ? shortage.describing(error) : error
    failure = error
    announcer.emit(.stopped(error))
    cancelEverything()
    announcer.wakeWaiters()
    standalone.failAll(error)
  }

  /// Cancels all running work and waits until every result of it is on disk.
  func quiesce() async {
    cancelEverything()
    await stages.remotePages.endAll()
    await stages.drawings.endAll()
    await transfers.endAll()
    await pages.endAll()
    await transfers.endLoading()
    await commits.flush()
    await commits.waitUntilAtRest()
  }

  private func cancelEverything() {
    isStopping = true
    transfers.cancelAll()
    stages.remotePages.cancelAll()
    stages.drawings.cancelAll()
    stages.viewports.cancelAlarm()
    pages.cancelAll()
  }

  /// Resumes work after `quiesce`, on the queue that the store holds now.
  func resumeWork() {
    guard failure == nil, !isEnding else { return }
    isStopping = false
    // The new scheduler does not know the transfers for which the callers of standalone resources wait.
    standalone.failAll(.wasReset)
    transfers.replaceScheduler()
    pages.resetQueue()
    pages.requestStoreLookup()
    passRequested()
    transfers.queueChanged()
    pages.pump()
  }

  /// - Parameter records: The records whose named resources are to be read from the store.
  private func passRequested(_ records: [RecordID] = []) {
    do throws(StoreError) {
      for record in records { try stages.requested.addNamed(of: record) }
      try stages.requested.passAllAgain()
    } catch {
      fail(LibraryError.wrapping(error))
    }
  }

  // MARK: - Parts of long operations

  /// Runs a long operation, or the rest of one, in a turn of its own, so that other work can run before it.
  /// The engine is not idle until the operation has ended.
  func spawnPart(_ body: @escaping @Sendable (Stages) async -> Void) {
    beginPart()
    stages.spawn { stages in
      await body(stages)
      stages.lifecycle.endPart()
    }
  }

  /// Keeps the engine from being idle until `endPart` is called.
  func beginPart() { partCount += 1 }

  func endPart() {
    partCount -= 1
    notifyIfIdle()
  }

  // MARK: - Idleness

  var isIdle: Bool {
    isStarted && !isStopping && areVerbsAtRest && commits.isAtRest && pages.isIdle
      && transfers.isIdle && stages.requested.isAtRest
  }

  /// Whether no verb is under way and no part of a long operation is left.
  var areVerbsAtRest: Bool {
    partCount == 0 && stages.verbs.isAtRest && stages.removals.isAtRest && stages.refreshes.isAtRest
  }

  func notifyIfIdle() {
    stages.checkIsolation()
    if announcer.isAwaited, isIdle || failure != nil { announcer.wakeWaiters() }
  }

  func waitUntilIdle() async throws {
    while isBusy, !Task.isCancelled {
      try await stages.engine.suspend {
        $0.lifecycle.addIdleWaiter($1)
      } cancel: {
        $0.context.announcer.wakeWaiters()
      }
    }
    if let failure { throw failure }
    if !isIdle, !wasIdle { throw LibraryError(.interrupted, "") }
  }

  private func addIdleWaiter(_ continuation: CheckedContinuation<Void, any Error>) {
    // The check is repeated, because the last work may have ended since `waitUntilIdle` checked.
    if Task.isCancelled || !isBusy {
      continuation.resume()
    } else {
      announcer.addIdleWaiter(continuation)
    }
  }

  private var isBusy: Bool { failure == nil && !isStopped && !isIdle }
}
