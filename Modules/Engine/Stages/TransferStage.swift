import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading
import Transport

/// Downloads queued resources: performs the actions of `Scheduler`, and handles the outcome of each
/// transfer. No method suspends between reading state and writing it.
final class TransferStage: Stage {
  /// The decisions about jobs. Only this stage changes the scheduler, by events; other stages read it.
  private(set) var scheduler: Scheduler
  private(set) var running = Transfers()
  /// Fires at the time that the scheduler returned in `Action.wake`.
  private(set) var timer = Alarm()
  /// The task that loads more of the queue for the scheduler.
  private var loading = Worker()

  override init(_ stages: Stages) {
    let network = stages.context.settings.network
    scheduler = Scheduler(limit: network.maxConcurrentDownloads, hostLimit: network.maxPerHost)
    super.init(stages)
  }

  /// Replaces the scheduler by one without jobs, with the current limits and pause. Records that verbs have
  /// dropped stay dropped, because the verb that dropped a record also restores it.
  func replaceScheduler() {
    let state = stages.verbs.libraryState
    scheduler = Scheduler(
      limit: min(
        state.concurrency ?? settings.network.maxConcurrentDownloads, ports.transferCeiling),
      hostLimit: state.perHost ?? settings.network.maxPerHost, network: settings.network,
      isPaused: state.isPaused || !lifecycle.isStarted, dropped: scheduler.dropped)
  }

  /// Whether no transfer is running and none could start, except after a pause that an earlier run began.
  var isIdle: Bool {
    running.isEmpty && (scheduler.isIdle || stages.verbs.libraryState.isPaused)
      && !stages.verbs.holdsBack(!scheduler.isIdle)
  }

  var isAnyRunning: Bool { !running.isEmpty }

  /// Whether a transfer of the request is running.
  func isRunning(_ request: RequestKey) -> Bool { running[request] != nil }

  // MARK: - Events and actions
  /// Sends an event to the scheduler and performs the action that it returns.
  func send(_ event: Scheduler.Event) {
    // While several ends of transfers are being processed, the decision follows once, after all of them.
    if let time = running.completionTime { return scheduler.update(with: event, now: time) }
    stages.checkIsolation()
    let now = ports.clock.now()
    perform(scheduler.handle(event, now: now), now)
  }

  var now: Double { running.completionTime ?? ports.clock.now() }

  private func perform(_ action: Scheduler.Action, _ now: Double) {
    for request in action.cancel { running[request]?.download.cancel() }
    for job in action.answer { stages.deliveries.answerFromLibrary(job) }
    for job in action.unreachable { stages.deliveries.failUnreachable(job) }
    for job in action.start { startTransfer(job, now) }
    for hold in action.holdSegments {
      running[hold.request]?.download.holdSegments(for: hold.seconds)
    }
    for request in action.withdrawSegments { running[request]?.download.withdrawConnection() }
    for request in action.startSegments { running[request]?.download.addConnection() }
    for id in action.startRequests { stages.singleRequests.start(id, at: now) }
    for refusal in action.refuseRequests { stages.singleRequests.refuse(refusal) }
    if let load = action.load { startLoad(load) }
    if let wake = action.wake { setTimer(wake) }
    lifecycle.notifyIfIdle()
  }

  /// Reports new queued resources in the store. Resources of lazy records are downloaded only for
  /// viewers.
  func queueChanged() {
    guard lifecycle.isStarted else { return }
    send(.queueChanged)
    stages.viewports.refreshAll()
  }

  private func setTimer(_ time: Double) {
    // The tick at the earlier time returns a new wake-up time.
    if let earlier = timer.time, earlier <= time { return }
    timer.set(time, ports.clock) { [weak engine = stages.engine] in
      await engine?.run { $0.transfers.tick() }
    }
  }

  private func tick() {
    timer.clear()
    send(.tick)
  }

  private func startTransfer(_ job: consuming Job, _ now: Double) {
    guard let leader = job.leader, let record = records[leader.record] else {
      return send(.ended(job.request))
    }
    let request = job.request
    // An earlier transfer may have recorded a partial file since the job was created.
    if partialFiles.mayHaveRow(request) { job.mayHaveRow = true }
    let label =
      job.dueDescription?.url.description
      ?? (job.isOnMirror ? job.location.url?.description ?? leader.url : leader.url)
    let counter = announcer.beginActivity(leader.id, in: record.id, label: label)
    catalog.emit(.started(leader.id, record: record.id), of: record.id)
    let download = Download(
      job: job, number: running.nextNumber(), origin: catalog.origin(of: record),
      asOf: records.lastResource, downloadContext: context.downloads, counter: counter,
      owner: stages.engine, bytesPerSecond: stages.singles.rateLimit(of: job),
      connections: stages.singles.connectionLimit(of: job),
      terms: catalog.terms(of: record, for: request))
    running.insert(
      Transfers.Running(leader: leader.id, startedAt: now, download: download), for: request)
    if commits.hasUncommittedChange(of: request) {
      // Pending changes of the partial file are committed first, because they may move or delete it.
      stages.spawn { stages in
        await stages.commits.flush()
        download.start()
      }
    } else {
      download.start()
    }
  }

  // MARK: - Ends of transfers

  /// Handles the ends of several transfers, and decides once, after all of them, what starts next.
  func handleEnds(_ entries: [CompletionQueue.Entry]) {
    stages.checkIsolation()
    running.beginCompletions(at: ports.clock.now())
    var waiters: [CheckedContinuation<Void, Never>] = []
    for (request, outcome) in entries {
      guard let run = running.remove(request) else { continue }
      handleEnd(run, of: request, outcome)
      waiters += run.waiters
    }
    running.endCompletions()
    let now = ports.clock.now()
    perform(scheduler.decide(now: now), now)
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the transfer has ended.
  private func waitForEnd(of request: RequestKey, _ number: UInt64) async {
    await withCheckedContinuation { running.addWaiter(for: request, number, $0) }
  }

  private func handleEnd(
    _ run: Transfers.Running, of request: RequestKey, _ outcome: Download.Outcome
  ) {
    // `scheduler.running` would copy the scheduler, because the class could change it meanwhile.
    guard var job = scheduler.active.transfers[request]?.job else { return }
    if run.hasPartialFileRow { job.mayHaveRow = true }
    let longest = run.download.longestPartial
    if longest > job.longestPartial { job.longestPartial = longest }
    if !job.subscribers.contains(where: { $0.resource.id == run.leader }) {
      announcer.suspend(run.leader)
    }
    switch outcome {
    case .complete(let file):
      reportAnswer(job, run)
      if job.subscribers.isEmpty {
        abandonTransfer(job, run, resumableState(file, of: job, run))
      }
      deliver(run.download.withOwnValidator(file), to: job, run)
    case .unchanged(let existing, let answer):
      reportAnswer(job, run)
      announcer.suspend(run.leader)
      stages.deliveries.confirm(existing, answer, to: job)
    case .described(let result): stages.descriptions.handleEnd(result, of: job, run)
    case .isResource: break  // Only the body of a source is left to a resource.
    case .failed(.disk(let detail, let isFull), let partial):
      lifecycle.fail(LibraryError(isFull ? .diskFull : .io, detail))
      abandonTransfer(job, run, partial)
    case .failed(_, let partial) where job.subscribers.isEmpty: abandonTransfer(job, run, partial)
    case .failed(let failure, let partial) where lifecycle.isStopping && failure.isRetryable:
      abandonTransfer(job, run, partial)
    case .failed(.cancelled, let partial): requeueCancelled(job, run, partial)
    case .failed(let failure, let partial): retryOrFail(job, run, failure, partial)
    }
  }

  /// Returns a complete file without subscribers as a partial one, from which a later request can continue.
  private func resumableState(
    _ file: StoredFile, of job: Job, _ run: Transfers.Running
  ) -> PartialDownload? {
    guard file.validator.ifRange != nil else { return nil }
    let head = run.download.responses.head
    return PartialDownload(
      validator: file.validator, totalBytes: file.byteCount, bootID: context.downloads.bootID,
      syncedBytes: 0,
      url: job.location.url.map { PartSource(url: $0.equivalenceKey, answeredBy: head).text })
  }

  /// Ends a transfer without a final state for its subscribers, which stay queued in the store.
  func abandonTransfer(_ job: Job, _ run: Transfers.Running, _ partial: PartialDownload?) {
    keepPartial(partial, of: job)
    announcer.suspend(run.leader)
    send(.ended(job.request))
  }

  /// Records the state of the partial file, or deletes the file if it is useless.
  func keepPartial(_ partial: PartialDownload?, of job: Job) {
    if let partial {
      commitPartial(partial, of: job.request)
    } else {
      partialFiles.unregister(job.request)
      commits.add(.discardPartial(job.request))
    }
  }

  /// Queues a cancelled job again at once, because it has subscribers.
  private func requeueCancelled(_ job: Job, _ run: Transfers.Running, _ partial: PartialDownload?) {
    var job = job
    announcer.suspend(run.leader, keepsBytes: partial != nil)
    if let partial { commitPartial(partial, of: job.request) }
    job.partial = partial
    job.mayHaveRow = job.mayHaveRow || partial != nil
    job.notBefore = now
    send(.retryRequested(job))
  }

  /// Records the state of a running transfer. The report may arrive after the attempt has ended, and is
  /// ignored then.
  func savePartial(_ partial: PartialDownload, of run: DownloadRun) {
    if running.registerRow(run) { commitPartial(partial, of: run.request) }
  }

  func commitPartial(_ partial: PartialDownload, of request: RequestKey) {
    partialFiles.register(partial, of: request)
    commits.add(.partial(request, partial))
  }

  /// Deletes the store's row for the partial file, and returns when it is deleted; false if it cannot be.
  func forgetRow(of request: RequestKey) async -> Bool {
    partialFiles.forgetContent(of: request)
    commits.add(.partialDeleted(request))
    await commits.flush()
    return lifecycle.failure == nil
  }

  func retryOrFail(
    _ job: Job, _ run: Transfers.Running, _ failure: DownloadFailure, _ partial: PartialDownload?
  ) {
    var (job, retries) = (job, run.download.order.terms.defaults.retries)
    if failure.concernsServer { stages.descriptions.recordDescription(in: &job, run) }
    let retryAfter = failure.retryAfter.map { min($0, retries.ceiling) }
    let host = run.download.lastHost
    // A host that redirects has answered, even if the target of the redirect fails.
    if host != job.host { send(.host(job.host, .answered(startedAt: run.startedAt))) }
    reportFailure(host, run, failure, retryAfter)
    // A download that was redirected to an unreachable host fails at once, as that host's own jobs do.
    let isRedirectedToUnreachableHost = host != job.host && scheduler.isUnreachable(host, at: now)
    if let selection = mirrors(of: job, run) {
      let failure = MirrorSelection.Failure(failure, run, isGone: isRedirectedToUnreachableHost)
      return tryNextMirror(job, run, failure, partial, selection)
    }
    let failures = RetryPolicy.failures(
      after: job.attempts, gained: run.download.gainedBytes, wasIdleTimeout: failure.isIdleTimeout)
    let decision = retries.decide(
      attempts: failures, isRetryable: failure.isRetryable && !isRedirectedToUnreachableHost,
      retryAfter: retryAfter,
      chance: ports.random.fraction())
    guard case .retry(let wait) = decision else {
      let selection = MirrorSelection(job.location, failedWith: failure.reason)
      if failure.concernsServer,
        stages.descriptions.requestDescription(
          of: job, run, after: selection, failure.reason, partial)
      {
        return
      }
      announcer.suspend(run.leader)
      keepPartial(partial, of: job)
      return stages.deliveries.fail(job, failure)
    }
    job.attempts = failures
    requeue(job, run, partial, after: wait, reason: failure.reason)
  }

  /// Queues a job for its next attempt.
  /// - Parameters:
  ///   - wait: The time until the attempt, in seconds.
  ///   - reason: The cause of the wait, for the event.
  func requeue(
    _ job: Job, _ run: Transfers.Running, _ partial: PartialDownload?, after wait: Double,
    reason: String
  ) {
    announcer.suspend(run.leader, keepsBytes: partial != nil)
    if let partial { commitPartial(partial, of: job.request) }
    for resource in job.subscribers.map(\.resource) {
      catalog.emit(
        .retrying(resource.id, record: resource.record, reason: reason, after: wait),
        of: resource.record)
    }
    var next = job
    next.notBefore = now + wait
    next.partial = partial
    next.mayHaveRow = job.mayHaveRow || partial != nil
    send(.retryRequested(next))
  }

  /// Reports a normal answer of the job's host and of the host to which it redirected.
  func reportAnswer(_ job: Job, _ run: Transfers.Running) {
    let last = run.download.lastHost
    send(.host(last, .answered(startedAt: run.startedAt)))
    // A redirect has led to another host.
    if job.host != last { send(.host(job.host, .answered(startedAt: run.startedAt))) }
  }

  func reportFailure(
    _ host: HostName, _ run: Transfers.Running, _ failure: DownloadFailure, _ retryAfter: Double?
  ) {
    reportFailure(
      host, startedAt: run.startedAt, wasAnswered: run.download.responses.wasAnswered, failure,
      retryAfter)
  }

  /// Reports a failure to the budget of its host, which may delay the host's other transfers.
  /// - Parameters:
  ///   - startedAt: The start of the request, in seconds on the engine's clock.
  ///   - wasAnswered: Whether the head of a response was received.
  func reportFailure(
    _ host: HostName, startedAt: Double, wasAnswered: Bool, _ failure: DownloadFailure,
    _ retryAfter: Double?
  ) {
    let now = now
    let before = max(now, scheduler.backoffEnd(of: host) ?? now)
    guard
      let event = Scheduler.HostEvent(
        failure, startedAt: startedAt, retryAfter: retryAfter, wasAnswered: wasAnswered,
        chance: ports.random.fraction())
    else { return }
    send(.host(host, event))
    guard let after = scheduler.backoffEnd(of: host), after > before else { return }
    announcer.emit(.hostWaits(host: host.text, seconds: after - now, reason: failure.reason))
  }

  // MARK: - The queue

  /// Loads more of the queue for the scheduler, in a turn of its own, because the current turn is still
  /// performing an action of the scheduler.
  private func startLoad(_ load: Scheduler.Load) {
    loading.start(stages.spawn { $0.transfers.performLoad(load) })
  }

  private func performLoad(_ load: Scheduler.Load) {
    do {
      let found = try store.resources(
        in: .queued, of: load.priority, after: load.after, limit: load.count)
      let items = try stages.lookup.schedulerItems(found, base: Precedence(load.priority))
      send(.loaded(items, isEnd: found.count < load.count))
    } catch {
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }

  // MARK: - Cancellation

  /// Starts no more transfers and cancels those that are running.
  func cancelAll() {
    timer.cancel()
    send(.stopped)
    running.cancelAll()
  }

  /// Returns when all transfers have ended.
  func endAll() async {
    while let (request, number) = running.first { await waitForEnd(of: request, number) }
  }

  /// Returns when no load of the queue is under way.
  func endLoading() async { await loading.task?.value }

  /// Cancels the transfers that have no subscribers, or all of them during a pause, and returns when they
  /// have ended.
  func endCancelled() async {
    let isPaused = scheduler.isPaused
    let ending = running.cancel { isPaused || !scheduler.wants($0) }
    for (request, number) in ending { await waitForEnd(of: request, number) }
  }

  /// Hides the progress of transfers whose first subscriber no longer wants them. The transfers continue
  /// for other subscribers, and are no longer part of the first subscriber's progress.
  func suspendForeignTransfers() {
    for (request, leader) in running.leaders where scheduler.wants(request) {
      guard let job = scheduler.running(request),
        !job.subscribers.contains(where: { $0.resource.id == leader })
      else { continue }
      announcer.suspend(leader)
    }
  }
}
