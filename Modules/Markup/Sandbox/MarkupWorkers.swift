import MarkupMessages
public import RenderMessages
import Synchronization
public import WorkerProcess

/// The worker processes that read markup. They are started on demand; idle ones wait for the next document.
public final class MarkupWorkers: Sendable {
  /// The program, the sandbox and the limits of the workers.
  public struct Configuration: Sendable {
    public var helpers: HelperLocator
    public var helperName = MarkupProgram.name
    /// The part of the sandbox that workers apply before they open a file.
    public var sandbox = SandboxUse.available
    /// The time limit in seconds for each message to or from a worker; setting `limits.markupSeconds`. A
    /// worker sends the first items of an HTML document after it has parsed all of it.
    public var seconds: Double
    /// The number of documents after which a worker is replaced, so that memory leaks of C libraries do not
    /// accumulate.
    public var usesPerWorker = 50
    /// The maximum number of idle workers.
    public var idleLimit = 2

    public init(helpers: HelperLocator = HelperLocator(), seconds: Double = 20) {
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

  /// Returns an idle worker or a new one. Blocks while a process starts.
  func acquire() throws(WorkerError) -> Worker {
    while let worker = idle.withLock({ $0.popLast() }) {
      // A worker that died while it was idle is skipped, so that the next document does not fail because of
      // it.
      if !worker.process.hasEnded { return worker }
    }
    let program = WorkerProgram(
      path: try configuration.helpers.path(of: configuration.helperName),
      arguments: WorkerArguments.work(worker: MarkupProgram.worker, configuration.sandbox).list,
      // A worker sends only bytes, never descriptors.
      limits: FrameLimits(maxPayload: ReadReport.maxFrameBytes, maxDescriptors: 0))
    return Worker(process: try WorkerProcess(program))
  }

  /// Returns a worker to the pool after it has read a document to its end. A worker that reported an error
  /// must not be returned: releasing its process kills it.
  func release(_ worker: Worker) {
    var worker = worker
    worker.useCount += 1
    if worker.useCount == 1 { SandboxWarnings.report(at: worker.process) }
    guard worker.useCount < configuration.usesPerWorker else { return }
    idle.withLock { if $0.count < configuration.idleLimit { $0.append(worker) } }
  }
}
