/// Which lane does which job next, and when a lane needs a new worker process. Pure: the performer
/// tells it what has happened and does what it says.
///
/// A lane is a place for one worker. It has none before its first job; a worker is replaced after
/// `usesPerWorker` jobs, and after every job that it did not survive or that may have harmed it.
struct WorkerPool {
  typealias JobID = UInt64

  enum Event {
    case submit(JobID)
    /// Nobody wants the answer any more.
    case withdraw(JobID)
    case finished(lane: Int, WorkerFate)
    case shutdown
  }

  /// What became of the worker that did a job.
  enum WorkerFate {
    case sound
    /// It is gone, or must not be used again.
    case lost
  }

  enum Action: Equatable {
    /// - Parameter fresh: with a new worker; an old one is let go first.
    case run(JobID, lane: Int, fresh: Bool)
    /// The job will not be done: it was withdrawn, or the pool is shut down.
    case drop(JobID)
  }

  private struct Lane {
    var job: JobID?
    /// Jobs that its worker has done; nil without a worker.
    var uses: Int?
  }

  private let usesPerWorker: Int
  private var lanes: [Lane]
  private var queue: [JobID] = []
  /// Index into `queue` of the next job: taking from the front of an array would move the rest.
  private var queueHead = 0
  private var withdrawn: Set<JobID> = []
  private(set) var isShutDown = false

  init(lanes: Int, usesPerWorker: Int = 200) {
    self.lanes = Array(repeating: Lane(), count: max(1, lanes))
    self.usesPerWorker = max(1, usesPerWorker)
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .submit(let job):
      guard !isShutDown else { return [.drop(job)] }
      queue.append(job)
      return assign()
    case .withdraw(let job):
      guard queue[queueHead...].contains(job), withdrawn.insert(job).inserted else { return [] }
      return [.drop(job)]
    case .finished(let lane, let fate):
      lanes[lane].job = nil
      if fate == .lost { lanes[lane].uses = nil }
      return assign()
    case .shutdown:
      guard !isShutDown else { return [] }
      isShutDown = true
      let dropped = queue[queueHead...].filter { !withdrawn.contains($0) }
      queue = []
      queueHead = 0
      withdrawn = []
      return dropped.map { .drop($0) }
    }
  }

  private mutating func assign() -> [Action] {
    var actions: [Action] = []
    while let lane = freeLane, let job = nextJob() {
      let uses = lanes[lane].uses ?? usesPerWorker
      let fresh = uses >= usesPerWorker
      lanes[lane] = Lane(job: job, uses: fresh ? 1 : uses + 1)
      actions.append(.run(job, lane: lane, fresh: fresh))
    }
    return actions
  }

  /// One whose worker is running, if there is such a one.
  private var freeLane: Int? {
    let free = lanes.indices.filter { lanes[$0].job == nil }
    return free.first { lanes[$0].uses.map { $0 < usesPerWorker } ?? false } ?? free.first
  }

  private mutating func nextJob() -> JobID? {
    while queueHead < queue.count {
      let job = queue[queueHead]
      queueHead += 1
      if queueHead > 64, queueHead * 2 > queue.count {
        queue.removeFirst(queueHead)
        queueHead = 0
      }
      if withdrawn.remove(job) == nil { return job }
    }
    return nil
  }
}
