import ArchiveMessages
public import RenderMessages
import Synchronization
public import WorkerProcess

/// The worker processes that read archives. Started when they are needed; those that have nothing to
/// do wait for the next archive.
public final class ArchiveWorkers: Sendable {
  /// The program, the sandbox and the limits of the workers.
  public struct Configuration: Sendable {
    public var helpers: HelperLocator
    public var helperName = UnpackProgram.name
    /// How much of the sandbox workers apply before they see a file.
    public var sandbox = SandboxUse.available
    /// Seconds that a worker may take for a single step; setting `limits.archiveSeconds`.
    public var seconds: Double
    /// Archives after which a worker is replaced: memory of C libraries does not pile up.
    public var usesPerWorker = 50
    /// Workers that may wait for work.
    public var idleLimit = 2

    public init(helpers: HelperLocator = HelperLocator(), seconds: Double = 60) {
      self.helpers = helpers
      self.seconds = seconds
    }
  }

  struct Worker: Sendable {
    let process: WorkerProcess
    var useCount = 0
  }

  let configuration: Configuration
  private let idle = Mutex<[Worker]>([])

  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// A worker that waited, or a new one. Blocks while a process starts.
  func take() throws(WorkerError) -> Worker {
    while let worker = idle.withLock({ $0.popLast() }) {
      // A worker that died while it was idle is skipped: the next archive did not cause its death.
      if !worker.process.hasEnded { return worker }
    }
    let program = WorkerProgram(
      path: try configuration.helpers.path(of: configuration.helperName),
      arguments: WorkerArguments.work(worker: UnpackProgram.worker, configuration.sandbox).list,
      // A worker sends bytes back, never descriptors.
      limits: FrameLimits(maxPayload: UnpackEvent.maxFrameBytes, maxDescriptors: 0))
    return Worker(process: try WorkerProcess(program))
  }

  /// A worker has read an archive to its end. One that met broken data does not come back: letting go
  /// of a process kills it.
  func giveBack(_ worker: Worker) {
    var worker = worker
    worker.useCount += 1
    if worker.useCount == 1 { SandboxWarnings.look(at: worker.process) }
    guard worker.useCount < configuration.usesPerWorker else { return }
    idle.withLock { if $0.count < configuration.idleLimit { $0.append(worker) } }
  }
}
