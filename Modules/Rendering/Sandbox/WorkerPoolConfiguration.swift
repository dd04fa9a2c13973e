public import Models
public import RenderMessages
public import Rendering
public import WorkerProcess

/// The configuration of a pool of workers.
public struct WorkerPoolConfiguration: Sendable {
  /// The maximum number of simultaneous worker processes.
  public var workers: Int
  /// The number of jobs after which a worker is replaced, so that memory leaks of C libraries do not
  /// accumulate.
  public var usesPerWorker = 200
  /// The part of the sandbox that workers apply before they open a file.
  public var sandbox: SandboxUse
  public var limits: RenderLimits
  /// The setting `adapters.decoder`.
  public var decoder: String
  /// The time limit for an image in seconds; setting `limits.thumbnailSeconds`.
  public var imageSeconds: Double
  /// The time limit for a page of a document in seconds; setting `limits.pageSeconds`.
  public var pageSeconds: Double
  public var helpers: HelperLocator
  public var helperName = RenderProgram.name

  /// - Parameter processorCount: The number of processors. If the setting `rendering.workers` is 0, one
  ///   worker runs on each, at most 4.
  public init(_ settings: Settings, helpers: HelperLocator, processorCount: Int) {
    let wanted = settings.rendering.workers
    workers = wanted > 0 ? wanted : min(max(1, processorCount), 4)
    limits = RenderLimits(settings.limits)
    decoder = settings.adapters.decoder
    sandbox = SandboxUse(
      renderer: settings.adapters.renderer, isRequired: settings.sandbox.required)
    imageSeconds = settings.limits.thumbnailSeconds
    pageSeconds = settings.limits.pageSeconds
    self.helpers = helpers
  }
}
