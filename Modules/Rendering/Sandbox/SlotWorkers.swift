import RenderMessages
import Synchronization
import WorkerProcess

/// The worker processes of a slot, one for each decoder used so far, and the state of each. Used on the
/// slot's thread; only `kill` may be called from any thread.
final class SlotWorkers: Sendable {
  private struct Running {
    let process: WorkerProcess
    /// The number of jobs that the worker has run.
    var uses = 0
  }

  private struct State {
    var running: [String: Running] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let usesPerWorker: Int
  private let program: @Sendable (String) throws(WorkerError) -> WorkerProgram

  init(
    usesPerWorker: Int,
    _ program: @escaping @Sendable (String) throws(WorkerError) -> WorkerProgram
  ) {
    self.usesPerWorker = max(1, usesPerWorker)
    self.program = program
  }

  var decoders: Set<String> { state.withLock { Set($0.running.keys) } }

  /// Returns the worker for a job, started if necessary.
  /// - Returns: The worker, or nil after `kill`.
  func startedWorker(_ decoder: String) throws(WorkerError) -> WorkerProcess? {
    if let process = state.withLock({ $0.running[decoder]?.process }),
      // A worker that died or sent something while idle must not fail this job.
      process.isQuiet
    {
      return process
    }
    terminate(decoder)
    return try start(decoder)
  }

  /// Counts a finished job and stops the worker if it must be replaced.
  /// - Returns: Whether the worker can be used again; otherwise it has been removed.
  func jobEnded(_ decoder: String, isSound: Bool) -> Bool {
    let (uses, process) = state.withLock { state in
      state.running[decoder]?.uses += 1
      return (state.running[decoder]?.uses ?? 0, state.running[decoder]?.process)
    }
    if uses == 1, let process { SandboxWarnings.report(at: process) }
    if isSound && uses < usesPerWorker { return true }
    terminate(decoder)
    return false
  }

  /// Starts a worker if none is running. Errors are ignored here, since the first job reports them.
  func startWorker(for decoder: String) {
    guard !decoders.contains(decoder) else { return }
    _ = try? start(decoder)
  }

  /// Kills all workers, including busy ones; no others are started afterwards.
  func kill() {
    let processes = state.withLock { state in
      state.isClosed = true
      return state.running.values.map(\.process)
    }
    for process in processes { process.kill() }
  }

  func stopAll() {
    for decoder in decoders { terminate(decoder) }
  }

  private func start(_ decoder: String) throws(WorkerError) -> WorkerProcess? {
    if state.withLock({ $0.isClosed }) { return nil }
    let started = try WorkerProcess(try program(decoder))
    let isClosed = state.withLock { state in
      state.running[decoder] = Running(process: started)
      return state.isClosed
    }
    guard isClosed else { return started }
    terminate(decoder)
    return nil
  }

  /// Kills the process and reaps it, so that no zombie remains.
  private func terminate(_ decoder: String) {
    let old = state.withLock { $0.running.removeValue(forKey: decoder) }
    _ = old?.process.stop(grace: 0)
  }
}
