/// The scheduler that assigns jobs to slots, a pure state machine: `WorkerPoolRenderer` passes events in and
/// executes the returned actions.
///
/// A slot runs one job at a time, with workers of its own.
struct WorkerPool {
  typealias JobID = UInt64

  enum Event {
    case submit(JobID)
    /// The caller does not need the result any more.
    case withdraw(JobID)
    /// A slot has finished its job; `isWarm` tells whether a worker is running in that slot.
    case finished(slot: Int, isWarm: Bool)
    case shutdown
  }

  enum Action: Equatable {
    case run(JobID, slot: Int)
    /// The slot will be needed soon, so it may start a worker.
    case prepare(slot: Int)
    /// The job will not run, because it was cancelled or the pool is shut down.
    case drop(JobID)
  }

  private struct Slot {
    var job: JobID?
    var isWarm = false
  }

  private var slots: [Slot]
  private var queue: [JobID] = []
  /// The index of the next job in `queue`, because removing the first element of an array would move the
  /// rest.
  private var queueHead = 0
  private var cancelled: Set<JobID> = []
  private var isPrepared = false
  private(set) var isShutDown = false

  init(slots: Int) {
    self.slots = Array(repeating: Slot(), count: max(1, slots))
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .submit(let job):
      guard !isShutDown else { return [.drop(job)] }
      queue.append(job)
      return assign() + startIdleWorkers()
    case .withdraw(let job):
      guard queue[queueHead...].contains(job), cancelled.insert(job).inserted else { return [] }
      return [.drop(job)]
    case .finished(let slot, let isWarm):
      slots[slot] = Slot(isWarm: isWarm)
      return assign()
    case .shutdown:
      guard !isShutDown else { return [] }
      isShutDown = true
      let dropped = queue[queueHead...].filter { !cancelled.contains($0) }
      queue = []
      queueHead = 0
      cancelled = []
      return dropped.map { .drop($0) }
    }
  }

  /// Lets the other slots start their workers when the first job arrives, since more jobs usually follow.
  private mutating func startIdleWorkers() -> [Action] {
    guard !isPrepared else { return [] }
    isPrepared = true
    return slots.indices.filter { slots[$0].job == nil }.map { .prepare(slot: $0) }
  }

  private mutating func assign() -> [Action] {
    var actions: [Action] = []
    while let slot = freeSlot, let job = nextJob() {
      slots[slot].job = job
      actions.append(.run(job, slot: slot))
    }
    return actions
  }

  /// An idle slot, preferably one with a running worker; nil if all are busy.
  private var freeSlot: Int? {
    let free = slots.indices.filter { slots[$0].job == nil }
    return free.first { slots[$0].isWarm } ?? free.first
  }

  private mutating func nextJob() -> JobID? {
    while queueHead < queue.count {
      let job = queue[queueHead]
      queueHead += 1
      if queueHead > 64, queueHead * 2 > queue.count {
        queue.removeFirst(queueHead)
        queueHead = 0
      }
      if cancelled.remove(job) == nil { return job }
    }
    return nil
  }
}
