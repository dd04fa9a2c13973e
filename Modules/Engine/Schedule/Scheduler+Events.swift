public import Models
public import Persistence

extension Scheduler {
  public enum Event: Sendable {
    /// Something new may be in the store, anywhere in the queue.
    case queueChanged
    /// The answer to `.load`: what follows in the store, in order; fewer than asked for means the
    /// end of that priority.
    case loaded([Item], isEnd: Bool)
    /// Somebody looks at these resources or waits for them.
    case wanted([Item])
    /// Somebody who waits for it wants it fetched whatever is held.
    case hardened(ResourceID, RequestKey)
    /// Nobody does any more.
    case unwanted([ResourceID])
    /// Its slot is free; the rows of its subscribers are as they were.
    case ended(RequestKey)
    /// Its slot, if it had one, is free; the rows of these subscribers are on their way to another
    /// state. The others are tried again. `answer`: what the store will name as its answer.
    case settling(RequestKey, [ResourceID], answer: ExistingFile?)
    /// Their rows are written.
    case settled([ResourceID])
    /// The transfer has ended and is to be tried again as it is given.
    case again(Job)
    /// What these were to get without a request is not there, so they are to be fetched; what that
    /// resource has answers nothing any more.
    case lost([Item], gone: ResourceID)
    /// The resource has its file without a transfer; its row is on its way.
    case adopted(ResourceID, RequestKey, answer: ExistingFile)
    case host(HostName, HostEvent)
    case limitChanged(Int)
    case hostLimitChanged(Int)
    /// All resources of the record that are not looked at have this precedence from now on.
    case reordered(RecordID, Precedence)
    /// The disk is behind (or no more): nothing starts until it has caught up.
    case diskBehind(Bool)
    /// Everything stops (or continues); what waits keeps its place.
    case paused(Bool)
    /// Nothing of this record starts any more.
    case dropped(record: RecordID)
    /// The record counts again; what is queued of it is found after `queueChanged`.
    case kept(record: RecordID)
    /// Nothing starts any more.
    case stopped
    /// Time has passed.
    case tick
  }

  /// What a host did.
  public enum HostEvent: Sendable {
    /// It answered well to a transfer that began then.
    case answered(startedAt: Double)
    /// It asked for less (429, 503), in answer to a transfer that began then.
    /// - Parameter chance: uniform in 0..<1.
    case pushedBack(startedAt: Double, retryAfter: Double?, reason: String, chance: Double)
    /// No connection.
    case refused(startedAt: Double, reason: String, chance: Double)
  }

  mutating func apply(_ event: Event, _ now: Double) {
    switch event {
    case .queueChanged: lookFromFront()
    case .loaded(let items, let isEnd): loaded(items, isEnd: isEnd)
    case .wanted(let items):
      add(items)
      raise(items)
    case .hardened(let id, let request): window.change(request) { $0.mustReload(id) }
    case .unwanted(let ids): lower(Set(ids))
    case .ended(let request): _ = release(request)
    case .settling(let request, let resources, let answer):
      settle(request, resources, answer)
    case .settled(let ids):
      settling.subtract(ids)
      if isLoading { settledMeanwhile.formUnion(ids) }
    case .again(let job): tryAgain(job)
    case .lost(let items, let gone):
      recent.forget(gone)
      for item in items { forgetAnswer(of: item) }
      settling.subtract(items.map(\.subscriber.resource.id))
      add(items)
    case .adopted(let id, let request, let answer):
      settling.insert(id)
      recent.note(answer, for: request)
    case .host(let host, let news): note(news, of: host, now)
    case .reordered(let record, let precedence): reorder(record, precedence)
    case .dropped(let record): drop(record)
    case .kept(let record): dropped.remove(record)
    case .limitChanged, .hostLimitChanged, .diskBehind, .paused, .stopped: set(event)
    case .tick: break
    }
  }

  private mutating func set(_ event: Event) {
    switch event {
    case .limitChanged(let new): limit = max(1, new)
    case .hostLimitChanged(let new):
      hostLimit = max(1, new)
      for host in Array(hosts.keys) { hosts[host]?.budget.setMaximum(hostLimit) }
      // Also where nothing runs at the moment, so that nothing is known of the host.
      window.unparkAll(count: hostLimit)
    case .diskBehind(let isBehind): isDiskBehind = isBehind
    case .paused(let isPaused):
      self.isPaused = isPaused
      if isPaused { cancelled += active.keys }
    case .stopped: isStopped = true
    default: break
    }
  }

  // The queue

  /// Ids may have become free anywhere: look from the front again.
  mutating func lookFromFront() {
    priority = .high
    cursor = nil
    isStale = isLoading
    // What is new comes before what may wait.
    forget { $0.precedence > .normal }
  }

  /// Makes room in the window: what is of the queue is found there again, but for how often it
  /// was tried.
  private mutating func forget(_ isConcerned: (Job.Subscriber) -> Bool) {
    window.drop(fromUntried: true) {
      !$0.isOnDemand && $0.precedence > .prefetch && isConcerned($0)
    }
  }

  private mutating func loaded(_ items: [Item], isEnd: Bool) {
    isLoading = false
    defer { settledMeanwhile = KeySet() }
    if isStale {
      isStale = false
      return
    }
    cursor = items.last?.subscriber.resource.id ?? cursor
    if isEnd {
      priority = priority.flatMap(Self.following)
      cursor = nil
    }
    add(items, unless: settledMeanwhile)
  }

  private static func following(_ priority: RecordPriority) -> RecordPriority? {
    switch priority {
    case .high: .normal
    case .normal: .low
    case .low: nil
    }
  }

  /// It is not to be added: its row is on its way, or its record does not count.
  private func isKnown(_ resource: Resource) -> Bool {
    settling.contains(resource.id) || dropped.contains(resource.record)
  }

  /// Each becomes a subscriber of the job of its request.
  /// - Parameter settled: those that do not.
  private mutating func add(_ items: [Item], unless settled: KeySet<ResourceID> = KeySet()) {
    var new: [Job] = []
    var places = KeyTable<RequestKey, Int>()
    for item in items {
      let request = item.request
      guard !isKnown(item.subscriber.resource), !settled.contains(item.subscriber.resource.id)
      else { continue }
      if active.contains(request) {
        active.change(request) { $0.job.add(item.subscriber) }
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
      request: item.request, host: item.host, url: item.url, subscribers: [item.subscriber],
      partial: item.partial, mayHaveRow: item.mayHaveRow,
      held: recent.newer(item.held, for: item.request, of: item.subscriber.resource))
  }

  /// A resource without its file is no answer to a request, not even to its own.
  private mutating func forgetAnswer(of item: Item) {
    let id = item.subscriber.resource.id
    recent.forget(id)
    window.change(item.request) { job in
      if job.held?.file.resource == id { job.held = nil }
    }
  }

  // Who wants what

  private mutating func raise(_ items: [Item]) {
    for item in items {
      let (id, precedence) = (item.subscriber.resource.id, item.subscriber.precedence)
      active.change(item.request) { $0.job.raise(id, to: precedence) }
      window.change(item.request) { $0.raise(id, to: precedence) }
    }
  }

  private mutating func lower(_ ids: Set<ResourceID>) {
    window.drop { $0.isOnDemand && ids.contains($0.resource.id) }
    for request in window.requests(of: ids) {
      window.change(request) { $0.lower(ids) }
    }
    for request in Array(active.keys) { active.change(request) { $0.job.lower(ids) } }
  }

  private mutating func reorder(_ record: RecordID, _ precedence: Precedence) {
    forget { _ in true }
    for request in Array(active.keys) {
      active.change(request) { $0.job.reorder(record, precedence) }
    }
    for request in window.jobs.map(\.request) {
      window.change(request) { $0.reorder(record, precedence) }
    }
    lookFromFront()
  }

  private mutating func drop(_ record: RecordID) {
    dropped.insert(record)
    window.drop { $0.resource.record == record }
    for request in requestsAtWork(for: record) {
      active.change(request) { running in
        running.job.subscribers.removeAll { $0.resource.record == record }
        if running.job.subscribers.isEmpty { cancelled.append(request) }
      }
    }
  }

  // The end of a transfer

  /// Frees the slot.
  private mutating func release(_ request: RequestKey) -> Job? {
    guard let job = active.removeValue(forKey: request)?.job else { return nil }
    let isDone = hosts.change(job.host) { host in
      host.active -= 1
      return host.active == 0 && host.budget.isUntouched
    }
    if isDone ?? false { hosts.removeValue(forKey: job.host) }
    window.unpark(job.host, count: 1)
    return job
  }

  private mutating func settle(
    _ request: RequestKey, _ resources: [ResourceID], _ answer: ExistingFile?
  ) {
    if let answer { recent.note(answer, for: request) }
    settling.formUnion(resources)
    // Mostly these are all who want it.
    guard var job = release(request), !job.isWanted(byNoneBut: resources) else { return }
    let settled = Set(resources)
    job.subscribers.removeAll { settled.contains($0.resource.id) }
    job.notBefore = 0
    job.attempts = 0
    job.partial = nil
    if let answer { job.held = Job.Held(answer) }
    window.delay(job)
  }

  private mutating func tryAgain(_ job: Job) {
    guard let running = release(job.request) else { return }
    var job = job
    // Subscribers came and went while it ran.
    job.subscribers = running.subscribers
    window.delay(job)
  }

  private mutating func note(_ news: HostEvent, of name: HostName, _ now: Double) {
    guard !name.isEmpty else { return }
    // One that is only redirected to has nothing here; its answer is no news where nothing is held
    // against it.
    if case .answered = news, !hosts.contains(name) { return }
    let (before, host) = withHost(name) { $0.note(news, at: now) }
    if hosts.count > Self.windowLimit { forgetHosts(before: now) }
    if host.budget.isLost {
      window.endBackoff(name)
      window.unpark(name, count: .max)
    } else if let silence = window.silence(of: name),
      host.budget.nextStart(at: now, active: 0) ?? now < silence
    {
      // It may be asked sooner than was thought.
      window.endBackoff(name)
      window.unpark(name, count: max(0, host.budget.limit - host.active))
    } else if host.budget.limit > before {
      window.unpark(name, count: host.budget.limit - before)
    }
  }
}

extension Scheduler.Host {
  /// - Returns: how many connections it might have before, and what it is after.
  fileprivate mutating func note(
    _ news: Scheduler.HostEvent, at now: Double
  ) -> (limitBefore: Int, after: Self) {
    let limit = budget.limit
    switch news {
    case .answered(let startedAt): budget.succeeded(startedAt: startedAt, at: now)
    case .pushedBack(let startedAt, let retryAfter, let reason, let chance):
      budget.pushedBack(
        startedAt: startedAt, at: now, retryAfter: retryAfter, reason: reason, chance: chance)
    case .refused(let startedAt, let reason, let chance):
      budget.refused(startedAt: startedAt, at: now, reason: reason, chance: chance)
    }
    return (limit, self)
  }
}

extension Scheduler {
  /// Hosts that have nothing here and have waited to the end are met again when they come again.
  private mutating func forgetHosts(before now: Double) {
    for (name, host) in hosts
    where host.active == 0 && host.budget.waitsUntil ?? 0 <= now && window.parkedCount(name) == 0 {
      hosts.removeValue(forKey: name)
    }
  }
}

extension Job {
  /// A resource subscribes once.
  mutating func add(_ subscriber: Subscriber) {
    guard !subscribers.contains(where: { $0.resource.id == subscriber.resource.id }) else { return }
    subscribers.append(subscriber)
  }

  mutating func raise(_ id: ResourceID, to precedence: Precedence) {
    for index in subscribers.indices where subscribers[index].resource.id == id {
      subscribers[index].raised = precedence
    }
  }

  mutating func mustReload(_ id: ResourceID) {
    for index in subscribers.indices where subscribers[index].resource.id == id {
      subscribers[index].resource.mustReload = true
    }
  }

  mutating func lower(_ ids: Set<ResourceID>) {
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
