import RenderMessages
import Synchronization
import WorkerProcess

/// The worker processes of a lane, one for each profile that it was asked for, and what they have
/// been through. Used on the lane's thread; `kill` from any.
final class LaneWorkers: Sendable {
  private struct Running {
    let process: WorkerProcess
    /// Jobs that it has done.
    var uses = 0
  }

  private struct State {
    var running: [WorkerProfile: Running] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let usesPerWorker: Int
  private let program: @Sendable (WorkerProfile) throws(WorkerError) -> WorkerProgram

  init(
    usesPerWorker: Int,
    _ program: @escaping @Sendable (WorkerProfile) throws(WorkerError) -> WorkerProgram
  ) {
    self.usesPerWorker = max(1, usesPerWorker)
    self.program = program
  }

  var profiles: Set<WorkerProfile> { state.withLock { Set($0.running.keys) } }

  /// The worker for a job, started if there is none.
  /// - Returns: nil after `kill`.
  func take(_ profile: WorkerProfile) throws(WorkerError) -> WorkerProcess? {
    if let process = state.withLock({ $0.running[profile]?.process }),
      // One that died while it had nothing to do is no fault of this job.
      !process.hasEnded
    {
      return process
    }
    letGo(profile)
    return try start(profile)
  }

  /// Counts a job.
  /// - Returns: whether the worker may do another one; if not it is gone.
  func note(_ profile: WorkerProfile, isSound: Bool) -> Bool {
    let (uses, process) = state.withLock { state in
      state.running[profile]?.uses += 1
      return (state.running[profile]?.uses ?? 0, state.running[profile]?.process)
    }
    if uses == 1, let process { SandboxWarnings.look(at: process) }
    if isSound && uses < usesPerWorker { return true }
    letGo(profile)
    return false
  }

  /// Starts a worker where there is none. What is wrong with it shows at its first job.
  func prepare(_ profile: WorkerProfile) {
    guard !profiles.contains(profile) else { return }
    _ = try? start(profile)
  }

  /// Kills all of them, also one that is at work; from now on no other is started.
  func kill() {
    let processes = state.withLock { state in
      state.isClosed = true
      return state.running.values.map(\.process)
    }
    for process in processes { process.kill() }
  }

  func letGoOfAll() {
    for profile in profiles { letGo(profile) }
  }

  private func start(_ profile: WorkerProfile) throws(WorkerError) -> WorkerProcess? {
    if state.withLock({ $0.isClosed }) { return nil }
    let started = try WorkerProcess(try program(profile))
    let isClosed = state.withLock { state in
      state.running[profile] = Running(process: started)
      return state.isClosed
    }
    guard isClosed else { return started }
    letGo(profile)
    return nil
  }

  /// Kills the process and waits for its end, so that no zombie stays.
  private func letGo(_ profile: WorkerProfile) {
    let old = state.withLock { $0.running.removeValue(forKey: profile) }
    _ = old?.process.stop(grace: 0)
  }
}
