import Synchronization
public import WorkerProcess

/// The worker processes that read documents of one kind, such as archives. They are started on demand; idle ones
/// wait for the next document.
public final class ReadingWorkers: Sendable {
  /// The program of the workers and the largest message that one of them may send.
  public struct Role: Sendable {
    /// The name of the program's file.
    public var helperName: String
    /// The name of the worker among those of the program.
    public let worker: String
    public let maxFrameBytes: Int

    public init(helperName: String, worker: String, maxFrameBytes: Int) {
      self.helperName = helperName
      self.worker = worker
      self.maxFrameBytes = maxFrameBytes
    }
  }

  /// The program, the sandbox and the limits of the workers.
  public struct Configuration: Sendable {
    public var role: Role
    public var helpers: HelperLocator
    /// The part of the sandbox that workers apply before they open a file.
    public var sandbox = SandboxUse.available
    /// The time limit in seconds for each message to or from a worker.
    public var seconds: Double
    /// The number of documents after which a worker is replaced, so that memory leaks of C libraries do not
    /// accumulate.
    public var usesPerWorker = 50
    /// The maximum number of idle workers.
    public var idleLimit = 2

    public init(_ role: Role, helpers: HelperLocator, seconds: Double) {
      self.role = role
      self.helpers = helpers
      self.seconds = seconds
    }
  }

  public struct Worker: Sendable {
    public let process: WorkerProcess
    fileprivate var useCount = 0
  }

  public let configuration: Configuration
  private let idle = Mutex<[Worker]>([])

  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Returns an idle worker or a new one. Blocks while a process starts.
  public func acquire() throws(WorkerError) -> Worker {
    while let worker = idle.withLock({ $0.popLast() }) {
      // A worker that died or sent something while it was idle is skipped, so that the next document does not
      // fail because of it.
      if worker.process.isQuiet { return worker }
    }
    let role = configuration.role
    let program = WorkerProgram(
      path: try configuration.helpers.path(of: role.helperName),
      arguments: WorkerArguments.work(worker: role.worker, configuration.sandbox).list,
      // A worker sends only bytes, never descriptors.
      limits: FrameLimits(maxPayload: role.maxFrameBytes, maxDescriptors: 0))
    return Worker(process: try WorkerProcess(program))
  }

  /// Returns a worker to the pool after it has read a document to its end. A worker that reported an error
  /// must not be returned: releasing its process kills it.
  public func release(_ worker: Worker) {
    var worker = worker
    worker.useCount += 1
    if worker.useCount == 1 { SandboxWarnings.report(at: worker.process) }
    guard worker.useCount < configuration.usesPerWorker else { return }
    idle.withLock { if $0.count < configuration.idleLimit { $0.append(worker) } }
  }
}
