import Hashing
import Models
import Persistence

@testable import Engine

/// Plays the engine and the store for a `Scheduler`: does what it answers, by hand.
///
/// Resource N asks for request N, unless it is made otherwise.
struct SchedulerDriver {
  var scheduler: Scheduler
  /// The queue of the store, by id.
  var queue: [Scheduler.Item] = []
  var active: [Job] = []
  /// The first subscriber of each job that was started.
  var started: [Int64] = []
  var answered: [Job] = []
  var givenUp: [Scheduler.UnreachableJob] = []
  var cancelled: [RequestKey] = []
  var wake: Double?
  var now = 0.0
  var loads: [Scheduler.Load] = []
  /// Loads wait for `answer` when this is off.
  var answersAtOnce = true
  var pendingLoad: Scheduler.Load?

  init(limit: Int, hostLimit: Int = 100, network: Settings.Network = Settings().network) {
    scheduler = Scheduler(limit: limit, hostLimit: hostLimit, network: network)
  }

  static func resource(_ id: Int64, record: Int64 = 1) -> Resource {
    Resource(id: ResourceID(id), record: RecordID(record), index: Int(id), url: "http://h/\(id)")
  }

  static func request(_ number: Int64) -> RequestKey {
    RequestKey(high: 0, low: UInt64(bitPattern: number))
  }

  /// - Parameter asking: the number of the request; nil: the id.
  static func item(
    _ id: Int64, asking: Int64? = nil, host: HostName = "h", record: Int64 = 1,
    _ base: Precedence = .normal
  ) -> Scheduler.Item {
    Scheduler.Item(
      subscriber: Job.Subscriber(resource: resource(id, record: record), base: base),
      request: request(asking ?? id), host: host,
      location: ResourceLocation("http://h/\(id)"))
  }

  /// A file that another resource has.
  static func held(
    by id: Int64, asking: Int64, asOf: Int64, freshUntil: Int64? = nil, tag: String? = "\"v\"",
    record: Int64 = 9
  ) -> ExistingFile {
    var file = StoredFile(
      name: "\(id).png", byteCount: 1, digest: SHA256Hasher.hash(of: [UInt8(asking & 255)]),
      format: .png)
    file.validator = Validator(entityTag: tag.flatMap { EntityTag($0) })
    file.answer = StoredFile.Answer(
      request: request(asking), asOf: ResourceID(asOf), freshUntil: freshUntil)
    return ExistingFile(
      resource: ResourceID(id), record: RecordID(record), folder: "\(record)", file: file)
  }

  /// The first subscribers of the jobs at work, as they began.
  var activeIDs: [Int64] { active.compactMap(\.first) }

  mutating func send(_ event: Scheduler.Event) {
    let action = scheduler.handle(event, now: now)
    started += action.start.compactMap(\.first)
    active += action.start
    answered += action.answer
    givenUp += action.unreachable
    cancelled += action.cancel
    wake = action.wake
    guard let load = action.load else { return }
    loads.append(load)
    pendingLoad = load
    if answersAtOnce { answer() }
  }

  /// Answers the load with what is in the queue now.
  mutating func answer() {
    guard let load = pendingLoad else { return }
    let found = window(load)
    answer(found, isEnd: found.count < load.count)
  }

  func window(_ load: Scheduler.Load) -> [Scheduler.Item] {
    Array(
      queue.filter { item in
        item.subscriber.base == Precedence(load.priority) && !item.subscriber.isOnDemand
          && load.after.map { item.id > $0.rawValue } ?? true
      }.prefix(load.count))
  }

  mutating func answer(_ items: [Scheduler.Item], isEnd: Bool) {
    pendingLoad = nil
    send(.loaded(items, isEnd: isEnd))
  }

  /// The download ended well: its rows are written at once.
  mutating func finish(_ id: Int64) {
    write(settle(id))
  }

  /// The download ended well; its rows are on their way.
  /// - Returns: whose rows.
  @discardableResult
  mutating func settle(_ id: Int64, answer: ExistingFile? = nil) -> [Int64] {
    guard let job = end(id) else { return [] }
    let ids = scheduler.running(job.request)?.subscribers.map(\.resource.id) ?? []
    send(.commitStarted(job.request, ids, answer: answer))
    return ids.map(\.rawValue)
  }

  mutating func write(_ ids: [Int64]) {
    queue.removeAll { ids.contains($0.id) }
    send(.commitEnded(ids.map { ResourceID($0) }))
  }

  mutating func retry(_ id: Int64, at time: Double) {
    guard let old = end(id), var job = scheduler.running(old.request) else { return }
    job.notBefore = time
    job.attempts += 1
    send(.retryRequested(job))
  }

  /// Takes the job that began for a resource from those at work.
  mutating func end(_ id: Int64) -> Job? {
    active.firstIndex { $0.first == id }.map { active.remove(at: $0) }
  }

  /// A host answers 429, as to a transfer that began at this moment.
  mutating func pushBack(_ host: HostName, for seconds: Double) {
    send(
      .host(
        host,
        .throttled(startedAt: now, retryAfter: seconds, reason: "HTTP 429", chance: 0)))
  }
}

extension Scheduler.Item {
  var id: Int64 { subscriber.resource.id.rawValue }
}

extension Job {
  /// For whom it began.
  var first: Int64? { subscribers.first?.resource.id.rawValue }
  var ids: [Int64] { subscribers.map(\.resource.id.rawValue) }
}
