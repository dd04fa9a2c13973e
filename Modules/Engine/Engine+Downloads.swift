import Glibc
import HTTP1
import Models
import Persistence
import ProgressTree
import SystemCalls
import Transport

/// The performer around `Scheduler`.
extension Engine {
  func send(_ event: Scheduler.Event) {
    guard isStarted else { return }
    let action = scheduler.handle(event, now: ports.clock.now())
    guard !isStopping else { return noteIfIdle() }
    for item in action.start { start(item) }
    if let count = action.load { load(count) }
    if let wake = action.wake { setTimer(wake) }
    noteIfIdle()
  }

  private func setTimer(_ time: Double) {
    timer?.cancel()
    let clock = ports.clock
    timer = Task { [weak self] in
      guard (try? await clock.sleep(until: time)) != nil else { return }
      await self?.send(.tick)
    }
  }

  private func load(_ count: Int) {
    let cursor = scheduler.cursor
    Task {
      do {
        let found = try await store.resources(in: .queued, after: cursor, limit: count)
        for resource in found where records[resource.record] == nil {
          records[resource.record] = try await store.record(resource.record)
        }
        let items = found.map { Scheduler.Item(resource: $0, host: Self.host($0.url)) }
        send(.loaded(items, isEnd: found.count < count))
      } catch {
        fail(EngineError.wrapping(error))
      }
    }
  }

  private static func host(_ url: String) -> String {
    (try? HTTPURL(url))?.origin.description ?? ""
  }

  private func start(_ item: Scheduler.Item) {
    let id = item.resource.id
    let record = item.resource.record
    let counter = ports.progress.begin(id, in: record, label: item.resource.url)
    events.emit(.started(id, record: record))
    let download = Download(
      item: item, layout: layout, settings: settings, transport: ports.transport, disk: disk,
      bootID: bootID, counter: counter, partial: partials[id],
      remember: { [weak self] partial in
        Task { [weak self] in await self?.remember(partial, of: id) }
      })
    downloads[id] = Task {
      let outcome = await download.run()
      await ended(item, outcome)
    }
  }

  private func ended(_ item: Scheduler.Item, _ outcome: Download.Outcome) async {
    let id = item.resource.id
    downloads[id] = nil
    switch outcome {
    case .whole(let file, _):
      partials[id] = nil
      if let failure = ContentCheck.failure(file, for: item.resource) {
        await giveUp(item, failure, partial: nil)
      } else {
        await arrive(item.resource, file)
        release(item)
      }
    case .failed(.cancelled, let partial):
      await keep(partial, of: id)
      ports.progress.suspend(id)
      send(.ended(id, host: item.host))
    case .failed(.disk(let detail, let isFull), let partial):
      await keep(partial, of: id)
      ports.progress.suspend(id)
      fail(EngineError(isFull ? .diskFull : .io, detail))
      send(.ended(id, host: item.host))
    case .failed(let failure, let partial):
      await retryOrGiveUp(item, failure, partial: partial)
    }
  }

  /// Hands a whole partial file to the committer.
  func arrive(_ resource: Resource, _ file: StoredFile) async {
    guard let record = records[resource.record] else {
      try? FileSystem.remove(layout.partial(of: resource.id))
      return
    }
    var file = file
    file.name = FileNaming.name(resource, format: file.format, total: record.counts.total)
    let followUp: ResourceChange
    if PageMaker.isNeeded(file.format, settings: settings) {
      followUp = .fetched(resource.id)
    } else {
      let reason =
        file.format.kind == .other ? PageMaker.noPreview(file.format) : nil
      followUp = .finished(resource.id, pages: [], reason: reason)
    }
    await commit(
      .arrival(
        Committer.Arrival(resource: resource, file: file, record: record, followUp: followUp)))
  }

  /// Frees the slot of a finished download, later if the disk is behind.
  private func release(_ item: Scheduler.Item) {
    if uncommitted > Self.uncommittedLimit {
      heldSlots.append((item.resource.id, item.host))
    } else {
      send(.ended(item.resource.id, host: item.host))
    }
  }

  /// A long body has begun or was synced. The message may come after the end of the download.
  private func remember(_ partial: PartialDownload, of id: ResourceID) async {
    guard downloads[id] != nil else { return }
    await commit(.change(.partial(id, partial)))
  }

  private func keep(_ partial: PartialDownload?, of id: ResourceID) async {
    guard let partial else { return }
    partials[id] = partial
    await commit(.change(.partial(id, partial)))
  }

  private func retryOrGiveUp(
    _ item: Scheduler.Item, _ failure: DownloadFailure, partial: PartialDownload?
  ) async {
    let attempts = item.attempts + 1
    let now = ports.clock.now()
    let retryAfter = Self.retryAfter(failure)
    let decision = RetryPolicy(settings.network).decide(
      attempts: attempts, isRetryable: failure.isRetryable, retryAfter: retryAfter,
      chance: Double.random(in: 0..<1))
    guard case .retry(let wait) = decision, !isStopping else {
      return await giveUp(item, failure, partial: partial)
    }
    partials[item.resource.id] = partial
    await keep(partial, of: item.resource.id)
    if partial == nil { await commit(.change(.partialGone(item.resource.id))) }
    ports.progress.suspend(item.resource.id)
    events.emit(
      .retrying(
        item.resource.id, record: item.resource.record, reason: failure.reason, after: wait))
    if retryAfter != nil {
      events.emit(.hostWaits(host: item.host, seconds: wait))
      send(.hostWaits(item.host, until: now + wait))
    }
    var next = item
    next.attempts = attempts
    next.notBefore = now + wait
    send(.retry(next))
  }

  private static func retryAfter(_ failure: DownloadFailure) -> Double? {
    guard case .status(let status, let value?) = failure, status == 429 || status == 503 else {
      return nil
    }
    let now = Int64(time(nil))
    return RetryAfter.parse(value, now: now).map { Double($0.delay(now: now)) }
  }

  private func giveUp(
    _ item: Scheduler.Item, _ failure: DownloadFailure, partial: PartialDownload?
  ) async {
    let id = item.resource.id
    partials[id] = partial
    if let partial {
      await commit(.change(.partial(id, partial)))
    } else {
      try? FileSystem.remove(layout.partial(of: id))
      await commit(.change(.partialGone(id)))
    }
    givenUp[id] = item.resource
    await commit(.change(.failed(id, reason: failure.reason, pages: [])))
    send(.ended(id, host: item.host))
  }
}
