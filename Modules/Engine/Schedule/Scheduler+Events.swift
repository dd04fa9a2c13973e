import Models
import Persistence

extension Scheduler {
  mutating func apply(_ event: Event, _ now: Double) {
    switch event {
    case .queueChanged: restartQueueScan()
    case .loaded(let items, let isEnd): loaded(items, isEnd: isEnd)
    case .wanted(let items):
      add(items)
      raiseWanted(items)
    case .reloadRequired(let id, let request): window.change(request) { $0.mustReload(id) }
    case .unwanted(let ids): lowerUnwanted(Set(ids))
    case .withdrawn(let ids): withdraw(Set(ids))
    case .segmentsWanted(let request, let count, let host):
      active.setWantedSegments(of: request, to: count, from: host)
    case .segmentEnded(let request): endSegment(of: request)
    case .requestWanted(let id, let host): singleRequests.waiting.append((id, host))
    case .requestEnded(let id): endSingleRequest(id)
    case .segmentRefused(let request): refuseSegment(of: request)
    case .ended(let request): _ = endTransfer(of: request)
    case .commitStarted(let request, let resources, let answer):
      beginCommit(request, resources, answer)
    case .commitEnded(let ids):
      commitPending.subtract(ids)
      scan.recordCommits(of: ids)
    case .retryRequested(let job): requeueJob(job, now)
    case .duplicateMissing(let items, let gone):
      recent.removeAnswers(gone)
      for item in items { forgetAnswer(of: item) }
      commitPending.subtract(items.map(\.subscriber.resource.id))
      add(items)
    case .receivedExistingFile(let id, let request, let answer):
      commitPending.insert(id)
      recent.insert(answer, for: request)
    case .host(let host, let event): apply(event, of: host, now)
    case .reordered(let record, let precedence): reorder(record, precedence)
    case .recordDropped(let record): dropRecord(record)
    case .recordRestored(let record): dropped.remove(record)
    case .limitChanged, .hostLimitChanged, .diskBehind, .paused, .stopped: set(event)
    case .tick: break
    }
  }

  private mutating func set(_ event: Event) {
    switch event {
    case .limitChanged(let new): limit = max(1, new)
    case .hostLimitChanged(let new):
      hosts.setLimit(new)
      // The parked jobs of all hosts are made ready, including those of hosts without transfers, which
      // have no budget yet.
      window.unparkAll(count: hostLimit)
    case .diskBehind(let isBehind): isDiskBehind = isBehind
    case .paused(let isPaused):
      self.isPaused = isPaused
      if isPaused { active.cancelAll() }
    case .stopped: isStopped = true
    default: break
    }
  }

  // MARK: - The queue

  /// Restarts the reading of the queue from the front, because resources may have been queued anywhere in
  /// it.
  mutating func restartQueueScan() {
    scan.restart()
    // Untried jobs of low priority are dropped, so that new resources of higher priority find room.
    dropUntriedJobs { $0.precedence > .normal }
  }

  /// Drops untried jobs to make room in the window. Their resources are found again in the store; jobs with
  /// attempts stay, because the store does not hold retry counts.
  private mutating func dropUntriedJobs(_ isConcerned: (Job.Subscriber) -> Bool) {
    window.removeSubscribers(fromUntried: true) {
      !$0.isOnDemand && $0.precedence > .prefetch && isConcerned($0)
    }
  }

  private mutating func loaded(_ items: [Item], isEnd: Bool) {
    let last = items.last?.subscriber.resource.id
    guard let committed = scan.endLoad(last: last, isEnd: isEnd) else { return }
    add(items, unless: committed)
  }

  /// Whether the resource must not be added, because its row is about to change or its record is dropped.
  private func isKnown(_ resource: Resource) -> Bool {
    commitPending.contains(resource.id) || dropped.contains(resource.record)
  }

  /// Adds each resource as a subscriber to the job of its request.
  /// - Parameter settled: The resources to leave out, because their rows were written during the query.
  private mutating func add(_ items: [Item], unless settled: KeySet<ResourceID> = KeySet()) {
    var new: [Job] = []
    var places = KeyTable<RequestKey, Int>()
    for item in items {
      let request = item.request
      guard !isKnown(item.subscriber.resource), !settled.contains(item.subscriber.resource.id)
      else { continue }
      if active.contains(request) {
        active.changeJob(of: request) { $0.add(item.subscriber) }
      } else if window.contains(request) {
        window.change(request) { $0.add(item.subscriber) }
      } else if let place = places[request] {
        new[place].add(item.subscriber)
      } else {
        places[request] = new.count
        new.append(job(item))
      }
    }
    window.append(new)
  }

  private func job(_ item: Item) -> Job {
    Job(
      request: item.request, host: item.host, location: item.location,
      subscribers: [item.subscriber], partial: item.partial, mayHaveRow: item.mayHaveRow,
      existing: recent.newerAnswer(item.existing, for: item.request, of: item.subscriber.resource))
  }

  /// Forgets the resource as the answer to its request, because the resource has lost its file.
  private mutating func forgetAnswer(of item: Item) {
    let id = item.subscriber.resource.id
    recent.removeAnswers(id)
    window.change(item.request) { job in
      if job.existing?.file.resource == id { job.existing = nil }
    }
  }

  // MARK: - Subscribers and their precedence

  private mutating func raiseWanted(_ items: [Item]) {
    for item in items {
      let (id, precedence) = (item.subscriber.resource.id, item.subscriber.precedence)
      active.changeJob(of: item.request) { $0.raiseSubscriber(id, to: precedence) }
      window.change(item.request) { $0.raiseSubscriber(id, to: precedence) }
    }
  }

  private mutating func lowerUnwanted(_ ids: Set<ResourceID>) {
    window.removeSubscribers { $0.isOnDemand && ids.contains($0.resource.id) }
    for request in window.requests(of: ids) {
      window.change(request) { $0.lowerSubscribers(ids) }
    }
    active.changeJobs { $0.lowerSubscribers(ids) }
  }

  private mutating func reorder(_ record: RecordID, _ precedence: Precedence) {
    dropUntriedJobs { _ in true }
    active.changeJobs { $0.reorder(record, precedence) }
    for request in window.jobs.map(\.request) {
      window.change(request) { $0.reorder(record, precedence) }
    }
    restartQueueScan()
  }

  private mutating func dropRecord(_ record: RecordID) {
    dropped.insert(record)
    window.removeSubscribers { $0.resource.record == record }
    active.removeSubscribers { $0.resource.record == record }
  }

  private mutating func withdraw(_ ids: Set<ResourceID>) {
    window.removeSubscribers { ids.contains($0.resource.id) }
    active.removeSubscribers { ids.contains($0.resource.id) }
  }

  // MARK: - The end of a transfer

  /// Removes a job from the active ones and frees its slot.
  private mutating func endTransfer(of request: RequestKey) -> Job? {
    guard let ended = active.end(request) else { return nil }
    release(ended.segments.count, of: ended.segmentHost)
    release(1, of: ended.job.host)
    return ended.job
  }

  /// Frees connections to a host for its parked jobs.
  mutating func release(_ count: Int, of host: HostName) {
    guard count > 0 else { return }
    for _ in 0..<count { hosts.end(host) }
    window.unpark(host, count: count)
  }

  private mutating func beginCommit(
    _ request: RequestKey, _ resources: [ResourceID], _ answer: ExistingFile?
  ) {
    if let answer { recent.insert(answer, for: request) }
    commitPending.formUnion(resources)
    // Usually `resources` are all subscribers, and no job is left to queue.
    guard var job = endTransfer(of: request), !job.isWanted(byNoneBut: resources) else { return }
    let settled = Set(resources)
    job.subscribers.removeAll { settled.contains($0.resource.id) }
    job.notBefore = 0
    job.attempts = 0
    job.yields = 0
    job.longestPartial = 0
    job.partial = nil
    job.forgetMirrors()
    if let answer { job.existing = Job.ExistingAnswer(answer) }
    window.delay(job)
  }

  private mutating func requeueJob(_ job: Job, _ now: Double) {
    guard let running = endTransfer(of: job.request) else { return }
    var job = job
    // Subscribers may have been added and removed during the transfer.
    job.subscribers = running.subscribers
    job.yields = mustYield(job, now) ? StartOrder.yields : 0
    window.delay(job)
  }

  /// Whether other jobs are to start before the next attempt of the job. Every attempt at a URL that is always
  /// throttled begins a backoff of its host, which all other jobs of the host would spend waiting for this one.
  /// A job with a partial file is continued first, because the server has served it, and jobs may take hours.
  private func mustYield(_ job: Job, _ now: Double) -> Bool {
    guard job.partial == nil, job.wasBegun else { return false }
    return hosts.backoffEnd(of: job.host).map { $0 > now } ?? false
  }

  private mutating func apply(_ event: HostEvent, of name: HostName, _ now: Double) {
    guard !name.isEmpty else { return }
    // A host that is known only as the target of a redirect has no budget, and a normal answer does not
    // create one.
    if case .answered = event, !hosts.contains(name) { return }
    let (before, host) = hosts.apply(event, of: name, at: now)
    if hosts.count > Self.windowLimit {
      hosts.removeIdle(at: now) { window.parkedCount($0) > 0 }
    }
    if host.budget.isUnreachable {
      window.endBackoff(name)
      window.unpark(name, count: .max)
    } else if let backoffEnd = window.backoffEnd(of: name),
      host.budget.nextStart(at: now, active: 0) ?? now < backoffEnd
    {
      // The host may be tried earlier than its recorded backoff allows.
      window.endBackoff(name)
      window.unpark(name, count: host.room)
    } else if host.budget.limit > before {
      window.unpark(name, count: host.budget.limit - before)
    }
  }
}

extension Job {
  /// Adds a subscriber, unless its resource has subscribed already.
  mutating func add(_ subscriber: Subscriber) {
    guard !subscribers.contains(where: { $0.resource.id == subscriber.resource.id }) else { return }
    subscribers.append(subscriber)
  }

  mutating func raiseSubscriber(_ id: ResourceID, to precedence: Precedence) {
    for index in subscribers.indices where subscribers[index].resource.id == id {
      subscribers[index].raised = precedence
    }
  }

  mutating func mustReload(_ id: ResourceID) {
    for index in subscribers.indices where subscribers[index].resource.id == id {
      subscribers[index].resource.mustReload = true
    }
  }

  mutating func lowerSubscribers(_ ids: Set<ResourceID>) {
    for index in subscribers.indices where ids.contains(subscribers[index].resource.id) {
      subscribers[index].raised = nil
    }
  }

  mutating func reorder(_ record: RecordID, _ precedence: Precedence) {
    for index in subscribers.indices where subscribers[index].resource.record == record {
      subscribers[index].base = precedence
    }
  }
}
