import Models
import Persistence
import ProgressTree
import Transport

/// The performer around `Scheduler`. Nothing here waits between reading and writing state.
extension Engine {
  /// A download at work.
  struct Running {
    let record: RecordID
    let attempts: Int
    /// Whether the store knows of its partial file.
    var isRemembered = false
    let task: Task<Void, Never>
  }

  /// Tells the scheduler and does what it answers.
  func send(_ event: Scheduler.Event) {
    let action = scheduler.handle(event, now: ports.clock.now())
    for item in action.start { start(item) }
    if let count = action.load { load(count) }
    if let wake = action.wake { setTimer(wake) }
    noteIfIdle()
  }

  /// The store has something new in its queue.
  func queueChanged() {
    if isStarted { send(.queueChanged) }
  }

  private func setTimer(_ time: Double) {
    // An earlier tick asks for a later one by itself.
    if let timerTime, timerTime <= time { return }
    timer?.cancel()
    timerTime = time
    let clock = ports.clock
    timer = Task { [weak self] in
      guard (try? await clock.sleep(until: time)) != nil else { return }
      await self?.tick()
    }
  }

  private func tick() {
    timerTime = nil
    send(.tick)
  }

  private func load(_ count: Int) {
    let cursor = scheduler.cursor
    loading = Task { await load(count, after: cursor) }
  }

  private func load(_ count: Int, after cursor: ResourceID?) async {
    do {
      let found = try await store.resources(in: .queued, after: cursor, limit: count)
      try await know(found)
      var items = await Self.items(found)
      for index in items.indices where resumable.contains(items[index].resource.id) {
        items[index].partial = try await store.partial(of: items[index].resource.id)
        items[index].mayHaveRow = true
      }
      send(.loaded(items, isEnd: found.count < count))
    } catch {
      fail(EngineError.wrapping(error))
    }
  }

  /// The records of resources are at hand.
  func know(_ resources: [Resource]) async throws {
    for resource in resources where records[resource.record] == nil {
      guard let record = try await store.record(resource.record), !removed.contains(record.id)
      else { continue }
      records[record.id] = record
    }
  }

  @concurrent
  private static func items(_ resources: [Resource]) async -> [Scheduler.Item] {
    resources.map { resource in
      let host = (try? HTTPURL(resource.url))?.origin.description ?? ""
      return Scheduler.Item(resource: resource, host: host)
    }
  }

  private func start(_ item: Scheduler.Item) {
    let id = item.resource.id
    guard let record = records[item.resource.record] else { return send(.ended(id)) }
    resumable.remove(id)
    let counter = ports.progress.begin(id, in: record.id, label: item.resource.url)
    events.emit(.started(id, record: record.id))
    let attempts = item.attempts
    let download = Download(
      item: item, total: record.counts.total, surroundings: surroundings, counter: counter,
      remember: { [weak self] partial in
        Task { [weak self] in await self?.remember(partial, of: item.resource, attempts) }
      },
      forget: { [weak self] in await self?.forget(item.resource) ?? false })
    let task = Task { @concurrent in
      let outcome = await download.run()
      await self.ended(item, outcome)
    }
    downloads[id] = Running(record: record.id, attempts: attempts, task: task)
  }

  private func ended(_ item: Scheduler.Item, _ outcome: Download.Outcome) {
    let id = item.resource.id
    var item = item
    if downloads.removeValue(forKey: id)?.isRemembered ?? false { item.mayHaveRow = true }
    if removed.contains(item.resource.record) { return leave(item, nil) }
    switch outcome {
    case .whole(let file): arrive(item.resource, file)
    case .failed(.disk(let detail, let isFull), let partial):
      fail(EngineError(isFull ? .diskFull : .io, detail))
      leave(item, partial)
    case .failed(let failure, let partial) where isStopping && failure.isRetryable:
      leave(item, partial)
    case .failed(let failure, let partial): retryOrGiveUp(item, failure, partial)
    }
  }

  /// It stays in the queue of the store.
  private func leave(_ item: Scheduler.Item, _ partial: PartialDownload?) {
    if let partial { commit(.partial(item.resource, partial)) }
    ports.progress.suspend(item.resource.id)
    send(.ended(item.resource.id))
  }

  /// Hands a whole partial file to the committer.
  func arrive(_ resource: Resource, _ file: StoredFile) {
    guard let record = records[resource.record] else { return send(.ended(resource.id)) }
    let followUp: ResourceChange =
      if PageMaker.isNeeded(file.format, settings: settings) {
        .fetched(resource.id)
      } else {
        .finished(
          resource.id, pages: [],
          reason: file.format.kind == .other ? PageMaker.noPreview(file.format) : nil)
      }
    commit(
      .arrival(
        CommitWork.Arrival(resource: resource, file: file, record: record, followUp: followUp)))
    send(.settling(resource.id))
  }

  /// A long body has begun or was synced. The message may come after the end of its attempt.
  private func remember(_ partial: PartialDownload, of resource: Resource, _ attempts: Int) {
    guard downloads[resource.id]?.attempts == attempts else { return }
    downloads[resource.id]?.isRemembered = true
    commit(.partial(resource, partial))
  }

  private func forget(_ resource: Resource) async -> Bool {
    commit(.partialGone(resource))
    await flushCommits()
    return failure == nil
  }

  private func retryOrGiveUp(
    _ item: Scheduler.Item, _ failure: DownloadFailure, _ partial: PartialDownload?
  ) {
    let resource = item.resource
    let now = ports.clock.now()
    let retryAfter = failure.retryAfter
    let decision = RetryPolicy(settings.network).decide(
      attempts: item.attempts + 1, isRetryable: failure.isRetryable, retryAfter: retryAfter,
      chance: Double.random(in: 0..<1))
    if let retryAfter {
      let wait = min(retryAfter, settings.network.retryCeiling)
      events.emit(.hostWaits(host: item.host, seconds: wait))
      send(.hostWaits(item.host, until: now + wait))
    }
    guard case .retry(let wait) = decision else {
      return giveUp(resource, failure, partial: partial)
    }
    if let partial { commit(.partial(resource, partial)) }
    ports.progress.suspend(resource.id)
    events.emit(
      .retrying(resource.id, record: resource.record, reason: failure.reason, after: wait))
    var next = item
    next.attempts += 1
    next.notBefore = now + wait
    next.partial = partial
    next.mayHaveRow = item.mayHaveRow || partial != nil
    send(.retry(next))
  }

  func giveUp(_ resource: Resource, _ failure: DownloadFailure, partial: PartialDownload?) {
    commit(.givenUp(resource, reason: failure.reason, partial: partial))
    send(.settling(resource.id))
  }
}
