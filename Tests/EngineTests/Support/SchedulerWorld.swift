import Models
import Persistence

@testable import Engine

/// A store and a network for a `Scheduler`, with a ledger of what it may do at each moment.
///
/// The ledger reads the promises in the simplest way; it shares no code with the scheduler but the
/// budgets of hosts, which have tests of their own.
struct SchedulerWorld {
  struct Row {
    let id: Int64
    let record: Int64
    let asking: Int64
    let host: HostName
    var isQueued = true
    var mustReload = false
  }

  struct Entry {
    var isPaused = false
    let isLazy: Bool
    var priority = RecordPriority.normal
  }

  /// Rows on their way to another state.
  struct Settling {
    let ids: [Int64]
    /// What the store will name then.
    let answer: ExistingFile?
    /// What they were linked to, if they cost no request.
    let twin: ExistingFile?
  }

  /// The starts since the delay of a throttled job was over: all of them, and those of its host that would not
  /// have preceded its own without the throttling.
  struct Throttled {
    var starts = 0
    var passes = 0
  }

  var driver: SchedulerDriver
  var limit: Int
  var hostLimit: Int
  var isBehind = false
  var isPaused = false
  var rows: [Int64: Row] = [:]
  var records: [Int64: Entry] = [:]
  /// What the store names.
  var answers: [RequestKey: ExistingFile] = [:]
  /// Transfers at work, and the last row that there was when each began.
  var active: [RequestKey: Int64] = [:]
  var cancelled: [RequestKey] = []
  var onTheirWay: [Settling] = []
  /// Lazy ones that somebody looks at.
  var inSight: Set<Int64> = []
  /// Those that were at work once: who looks away then changes nothing.
  var begun: Set<Int64> = []
  /// Their files turned out not to be there.
  var lost: Set<Int64> = []
  /// Jobs that failed while their host was backing off, and are to be tried again.
  var throttled: [RequestKey: Throttled] = [:]
  /// The store's view when it read for the load that is on its way.
  var read: [Scheduler.Item]?
  var faults: [String] = []
  var lastID: Int64 = 0
  private var steps = 0

  init(limit: Int, hostLimit: Int, retries: Int) {
    self.limit = limit
    self.hostLimit = hostLimit
    var network = Settings().network
    network.retries = retries
    driver = SchedulerDriver(limit: limit, hostLimit: hostLimit, network: network)
    driver.answersAtOnce = false
  }

  /// Tells the scheduler, then holds what it did against the ledger.
  mutating func send(_ event: Scheduler.Event) {
    let (answered, givenUp) = (driver.answered.count, driver.givenUp.count)
    let (started, stopped) = (driver.active.count, driver.cancelled.count)
    driver.send(event)
    for job in driver.answered[answered...] { note(answered: job) }
    for hopeless in driver.givenUp[givenUp...] {
      onTheirWay.append(Settling(ids: hopeless.job.ids, answer: nil, twin: nil))
    }
    for request in driver.cancelled[stopped...] {
      checkCancel(request)
      if !cancelled.contains(request) { cancelled.append(request) }
    }
    let jobs = Array(driver.active[started...])
    // Those that nobody wants any more are untried when they are wanted again.
    throttled = throttled.filter { request, _ in
      driver.scheduler.window.contains(request) || jobs.contains { $0.request == request }
    }
    driver.active = []
    for job in jobs { note(started: job) }
    checkLimits(jobs)
    checkOrder(jobs)
    if !faults.isEmpty { faults.append("after \("\(event)".prefix(200))") }
  }

  // MARK: - State

  var isDone: Bool {
    driver.scheduler.isIdle && active.isEmpty && onTheirWay.isEmpty && driver.pendingLoad == nil
  }

  /// In the store's queue, whether it may be fetched or not.
  private func isUnsettled(_ id: Int64) -> Bool {
    rows[id]?.isQueued ?? false && !onTheirWay.contains { $0.ids.contains(id) }
  }

  func item(_ row: Row) -> Scheduler.Item {
    let entry = records[row.record]
    var resource = SchedulerDriver.resource(row.id, record: row.record)
    resource.mustReload = row.mustReload
    var item = Scheduler.Item(
      subscriber: Job.Subscriber(
        resource: resource, base: Precedence(entry?.priority ?? .normal),
        raised: inSight.contains(row.id) ? .visible : nil, isOnDemand: entry?.isLazy ?? false),
      request: SchedulerDriver.request(row.asking), host: row.host,
      location: ResourceLocation(resource.url))
    if let held = answers[item.request], held.resource.rawValue != row.id,
      !lost.contains(held.resource.rawValue)
    {
      item.existing = Job.ExistingAnswer(file: held, isFresh: isFresh(row.asking))
    }
    return item
  }

  /// Some servers say that their answers may be used without asking.
  func isFresh(_ asking: Int64) -> Bool { asking % 5 == 4 }

  // MARK: - The ledger

  private mutating func note(started job: Job) {
    let request = job.request
    if active[request] != nil { faults.append("two jobs for \(request)") }
    active[request] = lastID
    if isBehind || isPaused { faults.append("started while it was to wait") }
    if job.notBefore > driver.now { faults.append("\(request) too early") }
    for id in job.ids { checkWanted(id, "started") }
    if let known = answers[request], !lost.contains(known.resource.rawValue),
      job.ids.allSatisfy({ isAnswered($0, by: known) })
    {
      faults.append(
        "\(job.ids) asked in vain, with \(String(describing: job.existing?.file.resource))")
      faults.append("known was \(known.resource) as of \(known.file.answer?.asOf.rawValue ?? 0)")
    }
  }

  private mutating func note(answered job: Job) {
    guard let held = job.existing?.file else { return faults.append("answered with nothing") }
    for id in job.ids {
      checkWanted(id, "answered")
      if !isAnswered(id, by: held) { faults.append("\(id) got an old answer") }
    }
    onTheirWay.append(Settling(ids: job.ids, answer: nil, twin: held))
  }

  /// It was there when the answer was made, or the answer may be used without asking.
  private func isAnswered(_ id: Int64, by existing: ExistingFile) -> Bool {
    guard let row = rows[id], !row.mustReload else { return false }
    let asOf = existing.file.answer?.asOf.rawValue ?? 0
    return asOf >= row.id || isFresh(row.asking)
  }

  private mutating func checkWanted(_ id: Int64, _ what: String) {
    guard let row = rows[id], let entry = records[row.record] else {
      return faults.append("\(id) is not there and was \(what)")
    }
    if !isUnsettled(id) { faults.append("\(id) is settled and was \(what)") }
    if entry.isPaused { faults.append("\(id) is paused and was \(what)") }
    if entry.isLazy, !inSight.contains(id), !begun.contains(id) {
      faults.append("\(id) is out of sight and was \(what)")
    }
    begun.insert(id)
  }

  /// Pausing A never stops B.
  private mutating func checkCancel(_ request: RequestKey) {
    guard let job = driver.scheduler.running(request) else {
      return faults.append("\(request) was cancelled and does not run")
    }
    if !isPaused, !job.subscribers.isEmpty { faults.append("\(request) was cancelled and wanted") }
  }

  private mutating func checkLimits(_ jobs: [Job]) {
    if driver.scheduler.activeCount != active.count { faults.append("miscounted") }
    // A lower limit lets running ones end.
    if !jobs.isEmpty, active.count > limit { faults.append("\(active.count) of \(limit)") }
    for host in Set(jobs.map(\.host)) {
      let count = active.keys.count { driver.scheduler.running($0)?.host == host }
      if count > hostLimit { faults.append("\(count) at \(host)") }
    }
    if driver.scheduler.waitingCount > 4_096 + Scheduler.batch { faults.append("window") }
  }

  /// What somebody looks at first, then by the record's priority, then by age; and no slot is empty
  /// while something could have it.
  private mutating func checkOrder(_ started: [Job]) {
    let scheduler = driver.scheduler
    steps += 1
    // All of the window is looked at now and then only: there are many steps.
    guard !isBehind, !isPaused, !started.isEmpty || steps % 8 == 0 else { return }
    let free = Dictionary(
      uniqueKeysWithValues: scheduler.hosts.entries.map {
        ($0.key, $0.value.budget.mayStart(at: driver.now, active: $0.value.active))
      })
    let ranks = started.map { (job: $0, rank: rank($0)) }
    countPasses(started)
    for waiting in scheduler.window.jobs where waiting.notBefore <= driver.now {
      let isFree = free[waiting.host] ?? true
      if isFree, scheduler.activeCount < limit {
        faults.append("\(describe(waiting)) could have started")
      }
      guard !ranks.isEmpty else { continue }
      let rank = rank(waiting)
      for (job, other) in ranks
      where rank < other && (isFree || waiting.host == job.host) && !mayPass(job, waiting) {
        faults.append("\(describe(job)) before \(describe(waiting))")
      }
      for job in started where isTooEarly(job, before: waiting) {
        faults.append("\(describe(job)) again before \(describe(waiting))")
      }
    }
    for job in started { throttled[job.request] = nil }
  }

  /// Counts the starts that precede those of throttled jobs that could start, too.
  private mutating func countPasses(_ started: [Job]) {
    for request in Array(throttled.keys) {
      guard let job = driver.scheduler.window[request] else {
        throttled[request]?.starts += started.prefix { $0.request != request }.count
        continue
      }
      guard job.notBefore <= driver.now else { continue }
      throttled[request]?.starts += started.count
      let passes = started.count {
        $0.host == job.host && $0.precedence == job.precedence && rank(job) < rank($0)
      }
      throttled[request]?.passes += passes
    }
  }

  /// Whether a throttled job that waits may be passed once more by a job of its precedence.
  private func mayPass(_ job: Job, _ waiting: Job) -> Bool {
    guard job.precedence == waiting.precedence, let state = throttled[waiting.request] else {
      return false
    }
    return state.passes <= StartOrder.yields
  }

  /// Whether a throttled job has started before an untried one of its host, to which it had to yield.
  private func isTooEarly(_ job: Job, before waiting: Job) -> Bool {
    guard let state = throttled[job.request], throttled[waiting.request] == nil else {
      return false
    }
    return job.host == waiting.host && job.precedence == waiting.precedence
      && state.starts < StartOrder.yields && throttled.count < StartOrder.yieldingLimit
  }

  private func rank(_ job: Job) -> (Precedence, Int64) { (job.precedence, job.first ?? .max) }

  private func describe(_ job: Job) -> String {
    "\(job.ids) at \(job.host), \(job.precedence)"
  }

  /// Everything is settled but what is lazy and out of sight.
  mutating func checkEnd() {
    let left = rows.values.filter { row in
      row.isQueued && (records[row.record].map { !$0.isLazy } ?? true || inSight.contains(row.id))
    }
    if !left.isEmpty { faults.append("lost: \(left.map(\.id).sorted().prefix(9))") }
  }
}
