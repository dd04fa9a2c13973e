public import Models
import RenderMessages
public import Rendering
import Synchronization
public import SystemCalls
import WorkerProcess

/// Renders in a pool of `imgdl-render` processes.
///
/// No worker is started before the first job; then every slot starts one. A worker is replaced after
/// `usesPerWorker` jobs, and after each job that killed or may have corrupted it. Each slot has a thread that
/// waits for its workers, so that callers' threads never block. Jobs start in the order of submission.
public final class WorkerPoolRenderer: Renderer {
  private typealias Outcome = WorkerSlot.Outcome

  private struct Job {
    let request: RenderRequest
    let input: RenderInput
    let receive: @Sendable (RenderResult) -> Void
    var deadline: Deadline?
    /// Passes the outcome to the waiting caller; nil once it was called.
    var finish: (@Sendable (Outcome) -> Void)?
    /// Whether the result is being passed to `receive`; the caller is resumed afterwards.
    var isReceiving = false
  }

  private struct State {
    var pool: WorkerPool
    var jobs: [WorkerPool.JobID: Job] = [:]
    var nextID: WorkerPool.JobID = 0
  }

  private let state: Mutex<State>
  private let slots: [WorkerSlot]
  private let limits: RenderLimits

  public init(_ configuration: WorkerPoolConfiguration) {
    let count = max(1, configuration.workers)
    limits = configuration.limits
    state = Mutex(State(pool: WorkerPool(slots: count)))
    let decoders = DecoderDirectory(configuration)
    slots = (0..<count).map { WorkerSlot($0, configuration, decoders) }
  }

  @concurrent
  public func probe(
    _ path: String, limits: RenderLimits?, password: DocumentPassword?
  ) async throws(RenderError) -> DocumentInfo {
    try await submit(.probe, .path(path), limits, password).info
  }

  @concurrent
  public func render(
    _ job: RenderJob, receive: @escaping @Sendable (RenderResult) -> Void
  ) async throws(RenderError) -> RenderResult {
    try await submit(
      .render(page: job.page, sides: job.sides, quality: job.quality), .path(job.path),
      job.limits, job.password, receive)
  }

  @concurrent
  public func joinTiles(
    of row: TileRow, in file: OwnedDescriptor
  ) async throws(RenderError) -> RenderResult {
    guard row.isValid else { throw RenderError(.unsupported, "no row of tiles") }
    return try await submit(.tiles(row), .descriptor(file), nil, nil)
  }

  public func shutdown() async {
    let dropped = state.withLock { $0.pool.handle(.shutdown) }
    for slot in slots { slot.kill() }
    perform(dropped)
    for slot in slots {
      await withCheckedContinuation { done in slot.close { done.resume() } }
    }
  }

  private func submit(
    _ operation: RenderRequest.Operation, _ input: RenderInput, _ limits: RenderLimits?,
    _ password: DocumentPassword?,
    _ receive: @escaping @Sendable (RenderResult) -> Void = { _ in }
  ) async throws(RenderError) -> RenderResult {
    let request = RenderRequest(
      operation: operation, limits: limits ?? self.limits, password: password)
    let id = makeID()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        submit(
          Job(request: request, input: input, receive: receive) {
            caller.resume(returning: $0)
          }, as: id)
        // A cancellation before the job was registered found no job, so it is repeated here.
        if Task.isCancelled { withdraw(id) }
      }
    } onCancel: {
      withdraw(id)
    }
    return try outcome.get()
  }

  public func makeSample(
    of file: OwnedDescriptor, _ options: SampleOptions, within seconds: Double,
    whenEnded: @escaping @Sendable (Result<RenderResult, RenderError>) -> Void
  ) {
    let request = RenderRequest(operation: .sample(options), limits: limits)
    submit(
      Job(
        request: request, input: .descriptor(file), receive: { _ in },
        deadline: .after(seconds: seconds), finish: whenEnded),
      as: makeID())
  }

  private func makeID() -> WorkerPool.JobID {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  private func submit(_ job: Job, as id: WorkerPool.JobID) {
    let actions = state.withLock { state in
      state.jobs[id] = job
      return state.pool.handle(.submit(id))
    }
    perform(actions)
  }

  /// Cancels a job and resumes its caller immediately. A running job continues under its deadline, and its
  /// result is discarded.
  private func withdraw(_ id: WorkerPool.JobID) {
    let (finish, actions) = state.withLock {
      state -> ((@Sendable (Outcome) -> Void)?, [WorkerPool.Action]) in
      guard state.jobs[id]?.isReceiving == false else { return (nil, []) }
      let finish = state.jobs[id]?.finish
      state.jobs[id]?.finish = nil
      return (finish, state.pool.handle(.withdraw(id)))
    }
    finish?(.failure(RenderError(.cancelled, "")))
    perform(actions)
  }

  private func perform(_ actions: [WorkerPool.Action]) {
    for action in actions {
      switch action {
      case .run(let id, let slot): run(id, slot: slot)
      case .prepare(let slot): slots[slot].startFirstWorker()
      case .drop(let id):
        finish(id, .failure(RenderError(.cancelled, "the renderer was shut down")))
      }
    }
  }

  private func run(_ id: WorkerPool.JobID, slot: Int) {
    guard let job = state.withLock({ $0.jobs[id] }) else { return }
    slots[slot].run(job.request, job.input, before: job.deadline) { reply in
      if case .success(let result) = reply.outcome { self.hand(result, to: id) }
      let actions = self.state.withLock {
        $0.pool.handle(.finished(slot: slot, isWarm: reply.isWarm))
      }
      // The next job is dispatched before this one's caller is resumed, so that the worker does not idle.
      self.perform(actions)
      self.finish(id, reply.outcome)
    }
  }

  private func hand(_ result: RenderResult, to id: WorkerPool.JobID) {
    let receive = state.withLock { state -> (@Sendable (RenderResult) -> Void)? in
      guard state.jobs[id]?.finish != nil else { return nil }
      state.jobs[id]?.isReceiving = true
      return state.jobs[id]?.receive
    }
    receive?(result)
  }

  private func finish(_ id: WorkerPool.JobID, _ outcome: Outcome) {
    let job = state.withLock { $0.jobs.removeValue(forKey: id) }
    job?.finish?(outcome)
  }
}
