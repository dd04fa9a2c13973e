import Models
import RenderMessages
public import Rendering
import Synchronization

/// Renders in a pool of `imgdl-render` processes.
///
/// A worker starts with the first job that finds none free. Each has a thread that waits for it, so
/// that no caller's thread ever does. Jobs begin in the order in which they came.
public final class WorkerPoolRenderer: Renderer {
  private typealias Outcome = Result<RenderResult, RenderError>

  private struct Job {
    let operation: RenderRequest.Operation
    let path: String
    /// nil once the caller has its answer.
    var caller: CheckedContinuation<Outcome, Never>?
  }

  private struct State {
    var pool: WorkerPool
    var jobs: [WorkerPool.JobID: Job] = [:]
    var nextID: WorkerPool.JobID = 0
  }

  private let state: Mutex<State>
  private let lanes: [WorkerLane]

  public init(_ configuration: WorkerPoolConfiguration) {
    let count = max(1, configuration.workers)
    state = Mutex(
      State(pool: WorkerPool(lanes: count, usesPerWorker: configuration.usesPerWorker)))
    lanes = (0..<count).map { WorkerLane($0, configuration) }
  }

  @concurrent
  public func probe(_ path: String) async throws(RenderError) -> DocumentInfo {
    try await submit(.probe, path: path).info
  }

  @concurrent
  public func render(_ job: RenderJob) async throws(RenderError) -> RenderResult {
    try await submit(
      .render(page: job.page, sides: job.sides, quality: job.quality), path: job.path)
  }

  public func shutdown() async {
    let dropped = state.withLock { $0.pool.handle(.shutdown) }
    for lane in lanes { lane.kill() }
    perform(dropped)
    for lane in lanes {
      await withCheckedContinuation { done in lane.close { done.resume() } }
    }
  }

  private func submit(
    _ operation: RenderRequest.Operation, path: String
  ) async throws(RenderError) -> RenderResult {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        let actions = state.withLock { state in
          state.jobs[id] = Job(operation: operation, path: path, caller: caller)
          return state.pool.handle(.submit(id))
        }
        perform(actions)
        // A cancellation that came before the job was known has found nothing to withdraw.
        if Task.isCancelled { withdraw(id) }
      }
    } onCancel: {
      withdraw(id)
    }
    return try outcome.get()
  }

  /// The caller gets its answer now. A job at work goes on, watched, and its result is let go.
  private func withdraw(_ id: WorkerPool.JobID) {
    let (caller, actions) = state.withLock { state in
      let caller = state.jobs[id]?.caller
      state.jobs[id]?.caller = nil
      return (caller, state.pool.handle(.withdraw(id)))
    }
    caller?.resume(returning: .failure(RenderError(.cancelled, "cancelled")))
    perform(actions)
  }

  private func perform(_ actions: [WorkerPool.Action]) {
    for action in actions {
      switch action {
      case .run(let id, let lane, let fresh): run(id, lane: lane, fresh: fresh)
      case .drop(let id):
        finish(id, .failure(RenderError(.cancelled, "the renderer was shut down")))
      }
    }
  }

  private func run(_ id: WorkerPool.JobID, lane: Int, fresh: Bool) {
    guard let job = state.withLock({ $0.jobs[id] }) else { return }
    lanes[lane].run(job.operation, path: job.path, fresh: fresh) { answer in
      let actions = self.state.withLock { $0.pool.handle(.finished(lane: lane, answer.fate)) }
      // The next job goes out before this one's caller is told: the worker need not wait for it.
      self.perform(actions)
      switch answer.reply {
      case .result(let result): self.finish(id, .success(result))
      case .failure(let error): self.finish(id, .failure(error))
      }
    }
  }

  private func finish(_ id: WorkerPool.JobID, _ outcome: Outcome) {
    let job = state.withLock { $0.jobs.removeValue(forKey: id) }
    job?.caller?.resume(returning: outcome)
  }
}
