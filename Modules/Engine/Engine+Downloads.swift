import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading
import Transport

/// Performs the actions of `Scheduler`. Nothing here suspends between reading state and writing it.
extension Engine {
  /// Sends an event to the scheduler and performs the action that it returns.
  func send(_ event: Scheduler.Event) {
    // While several ends of transfers are being processed, the decision follows once, after all of them.
    if let time = transfers.takingEndsSince { return scheduler.update(with: event, now: time) }
    let now = ports.clock.now()
    act(on: scheduler.handle(event, now: now), now)
  }

  private var now: Double { transfers.takingEndsSince ?? ports.clock.now() }

  private func act(on action: Scheduler.Action, _ now: Double) {
    for request in action.cancel { transfers[request]?.download.cancel() }
    for job in action.answer { answerFromLibrary(job) }
    for job in action.giveUp { failUnreachable(job) }
    for job in action.start { start(job, now) }
    if let load = action.load { startLoad(load) }
    if let wake = action.wake { setTimer(wake) }
    notifyIfIdle()
  }

  /// Reports new queued resources in the store. Those of lazy records are downloaded only for viewers.
  func queueChanged() {
    guard isStarted else { return }
    send(.queueChanged)
    for record in visible.records { refreshVisibleRanges(of: record) }
  }

  private func setTimer(_ time: Double) {
    // The tick at the earlier time returns a new wake-up time.
    if let earlier = timer.time, earlier <= time { return }
    timer.set(time, ports.clock) { [weak self] in await self?.tick() }
  }

  private func tick() {
    timer.clear()
    send(.tick)
  }

  private func start(_ job: consuming Job, _ now: Double) {
    guard let leader = job.leader, let record = records[leader.record] else {
      return send(.ended(job.request))
    }
    let request = job.request
    // An earlier transfer may have recorded a partial file since the job was created.
    if partialFiles.mayHaveRow(request) { job.mayHaveRow = true }
    let counter = announcer.beginActivity(leader.id, in: record.id, label: leader.url)
    emit(.started(leader.id, record: record.id), of: record.id)
    let download = Download(
      job: job, number: transfers.nextNumber(), origin: origin(of: record),
      asOf: records.lastResource,
      downloadContext: downloadContext, counter: counter, owner: self)
    transfers.insert(
      Transfers.Running(leader: leader.id, startedAt: now, download: download), for: request)
    if commits.concerns(request) {
      // Pending changes to the partial file come first: it may be moved or deleted by them.
      Task {
        await flushCommits()
        download.start()
      }
    } else {
      download.start()
    }
  }

  private func drainCompletions() {
    transfers.beginTakingEnds(at: ports.clock.now())
    let entries = ends.drain()
    var waiters: [CheckedContinuation<Void, Never>] = []
    for (request, outcome) in entries {
      guard let run = transfers.remove(request) else { continue }
      handleEnd(run, of: request, outcome)
      waiters += run.waiters
    }
    transfers.finishTakingEnds()
    let now = ports.clock.now()
    act(on: scheduler.decide(now: now), now)
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the transfer has ended.
  func waitForEnd(of request: RequestKey, _ number: UInt64) async {
    await withCheckedContinuation { transfers.wait(for: request, number, $0) }
  }

  private func handleEnd(
    _ run: Transfers.Running, of request: RequestKey, _ outcome: Download.Outcome
  ) {
    guard var job = scheduler.running(request) else { return }
    if run.isRemembered { job.mayHaveRow = true }
    if !job.subscribers.contains(where: { $0.resource.id == run.leader }) {
      announcer.suspend(run.leader)
    }
    switch outcome {
    case .whole(let file):
      reportAnswer(job, run)
      if job.subscribers.isEmpty {
        abandonTransfer(job, run, Self.resumableState(file, downloadContext.bootID))
      }
      deliverFile(job, file)
    case .unchanged(let held, let answer):
      reportAnswer(job, run)
      announcer.suspend(run.leader)
      confirm(job, held, answer)
    case .failed(.disk(let detail, let isFull), let partial):
      fail(LibraryError(isFull ? .diskFull : .io, detail))
      abandonTransfer(job, run, partial)
    case .failed(_, let partial) where job.subscribers.isEmpty: abandonTransfer(job, run, partial)
    case .failed(let failure, let partial) where isStopping && failure.isRetryable:
      abandonTransfer(job, run, partial)
    case .failed(.cancelled, let partial): requeueCancelled(job, run, partial)
    case .failed(let failure, let partial): retryOrFail(job, run, failure, partial)
    }
  }

  /// Returns a complete file without subscribers as a partial one, from which a later request can continue.
  private static func resumableState(_ file: StoredFile, _ bootID: String) -> PartialDownload? {
    guard file.validator.ifRange != nil else { return nil }
    return PartialDownload(
      validator: file.validator, totalBytes: file.byteCount, bootID: bootID, syncedBytes: 0)
  }

  /// Ends a transfer without settling its subscribers, which stay queued in the store.
  private func abandonTransfer(_ job: Job, _ run: Transfers.Running, _ partial: PartialDownload?) {
    keepPartial(partial, of: job)
    announcer.suspend(run.leader)
    send(.ended(job.request))
  }

  /// Records the state of the partial file, or deletes the file if it is useless.
  private func keepPartial(_ partial: PartialDownload?, of job: Job) {
    if let partial {
      commitPartial(partial, of: job.request)
    } else {
      partialFiles.forget(job.request)
      commit(.discardPartial(job.request))
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
    send(.again(job))
  }

  /// Records the state of a running transfer. The report may arrive after the attempt has ended, and is
  /// ignored then.
  private func savePartial(_ partial: PartialDownload, of run: DownloadRun) {
    if transfers.remember(run) { commitPartial(partial, of: run.request) }
  }

  func commitPartial(_ partial: PartialDownload, of request: RequestKey) {
    partialFiles.register(partial, of: request)
    commit(.partial(request, partial))
  }

  func forgetRow(of request: RequestKey) async -> Bool {
    partialFiles.forgetContent(of: request)
    commit(.partialGone(request))
    await flushCommits()
    return failure == nil
  }

  private func retryOrFail(
    _ job: Job, _ run: Transfers.Running, _ failure: DownloadFailure, _ partial: PartialDownload?
  ) {
    let retryAfter = failure.retryAfter.map { min($0, settings.network.retryCeiling) }
    let host = run.download.lastHost
    // A host that redirects has answered, even if the target of the redirect fails.
    if host != job.host { send(.host(job.host, .answered(startedAt: run.startedAt))) }
    reportFailure(host, run, failure, retryAfter)
    // Jobs of an abandoned host fail at once, and so do downloads that are redirected to it.
    let isHopeless = host != job.host && scheduler.isLost(host, at: now)
    let failures = RetryPolicy.failures(
      after: job.attempts, gained: run.download.gainedBytes, wasBackingOff: failure.isThrottled)
    let decision = RetryPolicy(settings.network).decide(
      attempts: failures, isRetryable: failure.isRetryable && !isHopeless, retryAfter: retryAfter,
      chance: ports.random.fraction())
    guard case .retry(let wait) = decision else {
      announcer.suspend(run.leader)
      keepPartial(partial, of: job)
      return failJob(job, failure)
    }
    announcer.suspend(run.leader, keepsBytes: partial != nil)
    if let partial { commitPartial(partial, of: job.request) }
    for subscriber in job.subscribers {
      let resource = subscriber.resource
      emit(
        .retrying(resource.id, record: resource.record, reason: failure.reason, after: wait),
        of: resource.record)
    }
    var next = job
    next.attempts = failures
    next.notBefore = now + wait
    next.partial = partial
    next.mayHaveRow = job.mayHaveRow || partial != nil
    send(.again(next))
  }

  /// Reports a good answer from the job's host and from the host to which it redirected.
  private func reportAnswer(_ job: Job, _ run: Transfers.Running) {
    for host in Set([job.host, run.download.lastHost]) {
      send(.host(host, .answered(startedAt: run.startedAt)))
    }
  }

  /// Reports a failure to the budget of its host, which may delay the host's other transfers.
  private func reportFailure(
    _ host: HostName, _ run: Transfers.Running, _ failure: DownloadFailure, _ retryAfter: Double?
  ) {
    let now = now
    let before = max(now, scheduler.waits(of: host) ?? now)
    let chance = ports.random.fraction()
    switch failure {
    case .status(let status, _) where status == 429 || status == 503:
      send(
        .host(
          host,
          .throttled(
            startedAt: run.startedAt, retryAfter: retryAfter, reason: failure.reason,
            chance: chance)))
    case .transport(.connectionRefused, let reason, _), .transport(.dns, let reason, _),
      .transport(.connectTimeout, let reason, _):
      send(.host(host, .refused(startedAt: run.startedAt, reason: reason, chance: chance)))
    // A host that accepts connections and never answers counts as unreachable.
    case .transport(.idleTimeout, let reason, _) where !run.download.wasAnswered:
      send(.host(host, .refused(startedAt: run.startedAt, reason: reason, chance: chance)))
    // Any other status is an answer, so the host is reachable.
    case .status, .transport(.badRedirect, _, _), .transport(.tooManyRedirects, _, _):
      send(.host(host, .answered(startedAt: run.startedAt)))
    default: return
    }
    guard let after = scheduler.waits(of: host), after > before else { return }
    announcer.emit(.hostWaits(host: host.text, seconds: after - now, reason: failure.reason))
  }

  private func failUnreachable(_ unreachable: Scheduler.UnreachableJob) {
    let reason = "\(unreachable.reason) (\(unreachable.attempts) times in a row)"
    for subscriber in unreachable.job.subscribers {
      failResource(
        subscriber.resource,
        .transport(code: .connectionRefused, detail: reason, isRetryable: true))
    }
  }

  func failJob(_ job: Job, _ failure: DownloadFailure) {
    for subscriber in job.subscribers { failResource(subscriber.resource, failure) }
    send(.settling(job.request, job.ids, answer: nil))
  }

  /// Settles a resource as failed. A standalone resource keeps its earlier file, or is removed if it has
  /// none.
  func failResource(_ resource: Resource, _ failure: DownloadFailure) {
    guard standalone.contains(resource) else {
      return commit(.failed(resource, reason: failure.reason))
    }
    if resource.file == nil { commit(.removed(resource)) }
    commit(.answered(resource, failure: LibraryError(failure, url: resource.url)))
  }
}

extension Engine: DownloadOwner {
  nonisolated func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun) {
    executor.async { self.assumeIsolated { $0.savePartial(partial, of: run) } }
  }

  nonisolated func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome) {
    if ends.add(run.request, outcome) {
      executor.async { self.assumeIsolated { $0.drainCompletions() } }
    }
  }
}
