public import Models
public import RenderMessages
public import Rendering
public import WorkerProcess

/// What the workers of a pool are like.
public struct WorkerPoolConfiguration: Sendable {
  /// Worker processes at the same time.
  public var workers: Int
  /// Jobs after which a worker is replaced: memory of C libraries does not pile up.
  public var usesPerWorker = 200
  /// How much of the sandbox workers apply before they see a file.
  public var sandbox: SandboxUse
  public var limits: RenderLimits
  /// The setting `adapters.decoder`.
  public var decoder: String
  /// Seconds for an image; setting `limits.thumbnailSeconds`.
  public var imageSeconds: Double
  /// Seconds for a page of a document; setting `limits.pageSeconds`.
  public var pageSeconds: Double
  public var helpers: HelperLocator
  public var helperName = RenderProgram.name

  /// - Parameter processorCount: with the setting `rendering.workers` at 0 there is a worker for
  ///   each, at most 4.
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
