/// The scheduler that assigns jobs to lanes, a pure state machine: the performer passes events in and
/// executes the returned actions.
///
/// A lane runs one job at a time, with workers of its own.
struct WorkerPool {
  typealias JobID = UInt64

  enum Event {
    case submit(JobID)
    /// The caller does not need the result any more.
    case withdraw(JobID)
    /// - Parameter isWarm: Whether a worker is running in that lane.
    case finished(lane: Int, isWarm: Bool)
    case shutdown
  }

  enum Action: Equatable {
    case run(JobID, lane: Int)
    /// The lane will be needed soon, so it may start a worker.
    case prepare(lane: Int)
    /// The job will not run, because it was withdrawn or the pool is shut down.
    case drop(JobID)
  }

  private struct Lane {
    var job: JobID?
    var isWarm = false
  }

  private var lanes: [Lane]
  private var queue: [JobID] = []
  /// The index of the next job in `queue`, because removing the first element of an array would move the
  /// rest.
  private var queueHead = 0
  private var withdrawn: Set<JobID> = []
  private var isPrepared = false
  private(set) var isShutDown = false

  init(lanes: Int) {
    self.lanes = Array(repeating: Lane(), count: max(1, lanes))
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .submit(let job):
      guard !isShutDown else { return [.drop(job)] }
      queue.append(job)
      return assign() + prepare()
    case .withdraw(let job):
      guard queue[queueHead...].contains(job), withdrawn.insert(job).inserted else { return [] }
      return [.drop(job)]
    case .finished(let lane, let isWarm):
      lanes[lane] = Lane(isWarm: isWarm)
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

  /// Lets the other slots start their workers with the first job, since more jobs usually follow.
  private mutating func prepare() -> [Action] {
    guard !isPrepared else { return [] }
    isPrepared = true
    return lanes.indices.filter { lanes[$0].job == nil }.map { .prepare(lane: $0) }
  }

  private mutating func assign() -> [Action] {
    var actions: [Action] = []
    while let lane = freeLane, let job = nextJob() {
      lanes[lane].job = job
      actions.append(.run(job, lane: lane))
    }
    return actions
  }

  /// An idle lane, preferably one with a running worker; nil if all are busy.
  private var freeLane: Int? {
    let free = lanes.indices.filter { lanes[$0].job == nil }
    return free.first { lanes[$0].isWarm } ?? free.first
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
