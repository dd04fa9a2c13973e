import Models
import Persistence

@testable import Engine

/// What may happen in a `SchedulerWorld`, as the engine would tell it.
extension SchedulerWorld {
  // MARK: - Verbs

  mutating func add(_ new: [(asking: Int64, host: HostName)], isLazy: Bool) {
    let record = Int64(records.count + 1)
    records[record] = Entry(isLazy: isLazy)
    for row in new {
      lastID += 1
      rows[lastID] = Row(id: lastID, record: record, asking: row.asking, host: row.host)
    }
    send(.queueChanged)
  }

  mutating func changeLimit(_ new: Int) {
    limit = new
    send(.limitChanged(new))
  }

  mutating func changeHostLimit(_ new: Int) {
    hostLimit = new
    send(.hostLimitChanged(new))
  }

  mutating func setDiskBehind(_ isBehind: Bool) {
    self.isBehind = isBehind
    send(.diskBehind(isBehind))
  }

  mutating func setPaused(_ isPaused: Bool) {
    self.isPaused = isPaused
    send(.paused(isPaused))
    if !isPaused { send(.queueChanged) }
  }

  mutating func pause(_ record: Int64) {
    records[record]?.isPaused = true
    send(.recordDropped(RecordID(record)))
  }

  mutating func resume(_ record: Int64) {
    guard records[record]?.isPaused ?? false else { return }
    records[record]?.isPaused = false
    send(.recordRestored(RecordID(record)))
    send(.queueChanged)
    let seen = rows.values.filter { $0.record == record && inSight.contains($0.id) }
    raise(seen.map(\.id))
  }

  mutating func reorder(_ record: Int64, _ priority: RecordPriority) {
    records[record]?.priority = priority
    send(.reordered(RecordID(record), Precedence(priority)))
  }

  /// Everything of it is fetched again, once nothing of it is on its way any more.
  mutating func reload(_ record: Int64) {
    guard let entry = records[record], !entry.isPaused else { return }
    send(.recordDropped(RecordID(record)))
    for request in cancelled { endCancelled(request, isWhole: false) }
    while !onTheirWay.isEmpty { writeNext() }
    for id in rows.keys where rows[id]?.record == record {
      rows[id]?.isQueued = true
      rows[id]?.mustReload = true
    }
    send(.recordRestored(RecordID(record)))
    send(.queueChanged)
    raise(rows.values.filter { $0.record == record && inSight.contains($0.id) }.map(\.id))
  }

  // MARK: - Viewers

  /// Somebody looks at ten of its rows.
  mutating func look(at record: Int64, _ start: Int) {
    let ids = rows.values.filter { $0.record == record }.map(\.id).sorted()
    let seen = Array(ids.dropFirst(start).prefix(10))
    inSight.formUnion(seen)
    raise(seen)
  }

  mutating func lookAway(from record: Int64) {
    let ids = inSight.filter { rows[$0]?.record == record }
    inSight.subtract(ids)
    send(.unwanted(ids.map { ResourceID($0) }))
  }

  private mutating func raise(_ ids: [Int64]) {
    let items = ids.sorted().compactMap { rows[$0] }.filter(\.isQueued).map { item($0) }
    // A request that joins an active transfer becomes a part of it.
    begun.formUnion(items.filter { active[$0.request] != nil }.map(\.id))
    if !items.isEmpty { send(.wanted(items)) }
  }

  // MARK: - The store

  /// What it answers is as of this moment.
  mutating func readForLoad() {
    guard let load = driver.pendingLoad, read == nil else { return }
    let priority = Precedence(load.priority)
    let ids = rows.values.filter { row in
      guard row.isQueued, let entry = records[row.record] else { return false }
      return !entry.isPaused && !entry.isLazy && Precedence(entry.priority) == priority
        && load.after.map { row.id > $0.rawValue } ?? true
    }.map(\.id).sorted().prefix(load.count)
    read = ids.compactMap { rows[$0] }.map { row in
      var item = item(row)
      item.subscriber.raised = nil
      return item
    }
  }

  mutating func answerLoad() {
    guard let load = driver.pendingLoad else { return }
    readForLoad()
    let items = read ?? []
    read = nil
    driver.pendingLoad = nil
    send(.loaded(items, isEnd: items.count < load.count))
  }

  mutating func writeNext() {
    guard !onTheirWay.isEmpty else { return }
    let next = onTheirWay.removeFirst()
    for id in next.ids {
      rows[id]?.isQueued = false
      rows[id]?.mustReload = false
    }
    if let answer = next.answer, let request = answer.file.answer?.request {
      answers[request] = answer
    }
    send(.commitEnded(next.ids.map { ResourceID($0) }))
  }

  /// What some were to be linked to is not there.
  mutating func loseTwin() {
    guard let index = onTheirWay.firstIndex(where: { $0.twin != nil }),
      let twin = onTheirWay[index].twin
    else { return }
    let ids = onTheirWay.remove(at: index).ids
    lost.insert(twin.resource.rawValue)
    let items = ids.compactMap { rows[$0] }.map { item($0) }
    send(.duplicateMissing(items, missing: twin.resource))
  }

  // MARK: - The network

  mutating func succeed(_ request: RequestKey) {
    guard let asOf = active[request], let job = driver.scheduler.running(request) else { return }
    send(.host(job.host, .answered(startedAt: driver.now)))
    guard let now = driver.scheduler.running(request), let first = now.ids.first else {
      return endCancelled(request, isWhole: false)
    }
    let known = job.existing?.file.resource.rawValue
    // 304 is an answer for all but those that are to have new bytes.
    let isUnchanged = now.plan == .conditional && known.map { !lost.contains($0) } ?? false
    let ids = now.subscribers.filter { !isUnchanged || !$0.resource.mustReload }
      .map(\.resource.id.rawValue)
    let number = Int64(bitPattern: request.low)
    let answer = SchedulerDriver.held(
      by: isUnchanged ? known ?? first : first, asking: number, asOf: asOf,
      freshUntil: isFresh(number) ? .max : nil)
    end(request)
    onTheirWay.append(
      Settling(ids: ids, answer: answer, twin: isUnchanged ? job.existing?.file : nil))
    lost.remove(answer.resource.rawValue)
    send(.commitStarted(request, ids.map { ResourceID($0) }, answer: answer))
  }

  mutating func fail(_ request: RequestKey) {
    guard active[request] != nil, let job = driver.scheduler.running(request) else { return }
    end(request)
    onTheirWay.append(Settling(ids: job.ids, answer: nil, twin: nil))
    send(.commitStarted(request, job.subscribers.map(\.resource.id), answer: nil))
  }

  mutating func retry(_ request: RequestKey, in seconds: Double) {
    guard active[request] != nil, var job = driver.scheduler.running(request) else { return }
    end(request)
    job.attempts += 1
    job.notBefore = driver.now + seconds
    requeue(job)
  }

  /// The host throttles a transfer, which is to be tried again.
  mutating func throttle(_ request: RequestKey, in seconds: Double, chance: Double) {
    guard active[request] != nil, let host = driver.scheduler.running(request)?.host else { return }
    pushBack(host, for: nil, chance: chance)
    retry(request, in: seconds)
  }

  /// A transfer that was told to end has ended.
  mutating func endCancelled(_ request: RequestKey, isWhole: Bool) {
    guard let job = driver.scheduler.running(request) else {
      cancelled.removeAll { $0 == request }
      return
    }
    if isWhole, !job.subscribers.isEmpty { return succeed(request) }
    end(request)
    if job.subscribers.isEmpty {
      send(.ended(request))
    } else {
      var job = job
      job.notBefore = driver.now
      requeue(job)
    }
  }

  private mutating func requeue(_ job: Job) {
    if job.attempts > 0, driver.scheduler.backoffEnd(of: job.host).map({ $0 > driver.now }) ?? false
    {
      throttled[job.request] = Throttled()
    }
    send(.retryRequested(job))
  }

  private mutating func end(_ request: RequestKey) {
    active[request] = nil
    cancelled.removeAll { $0 == request }
  }

  mutating func pushBack(_ host: HostName, for seconds: Double?, chance: Double) {
    send(
      .host(
        host,
        .throttled(
          startedAt: driver.now, retryAfter: seconds, reason: "HTTP 429", chance: chance)))
  }

  mutating func refuse(_ host: HostName, chance: Double) {
    send(.host(host, .refused(startedAt: driver.now, reason: "refused", chance: chance)))
    pass(0.001)
  }

  // MARK: - Time

  mutating func pass(_ seconds: Double) {
    driver.now += seconds
    send(.tick)
  }

  /// Nothing happens until the time that the scheduler asked for.
  mutating func wake() {
    guard let wake = driver.wake, wake >= driver.now else {
      return faults.append("nothing would ever happen")
    }
    driver.now = wake
    send(.tick)
  }
}
