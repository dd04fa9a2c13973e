import Archive
public import ArchiveMessages
public import Models
public import RenderMessages
public import Wiring
public import WorkerProcess

/// Registers the archive readers `minizip` and `libarchive`, whose worker processes are confined like those
/// of the renderer.
public enum ArchivePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    for adapter in ArchiveAdapter.allCases {
      catalogue.register(adapter.rawValue, for: .archive) { container in
        let settings = try container.resolve(.settings)
        let workers = ReadingWorkers(.archives(settings))
        return reader(adapter, workers)
      }
    }
  }

  /// Returns a reader that uses the chosen adapter for the formats of that adapter, and libarchive for all
  /// others.
  private static func reader(
    _ adapter: ArchiveAdapter, _ workers: ReadingWorkers
  ) -> any ArchiveReader {
    let order = adapter == .libarchive ? [adapter] : [adapter, .libarchive]
    return FormatRoutingReader(order.map { SandboxedArchiveReader($0, workers: workers) })
  }
}

extension SandboxedArchiveReader {
  public init(_ adapter: ArchiveAdapter, workers: ReadingWorkers) {
    self.init(adapter, formats: adapter.formats, workers: workers)
  }
}

extension ReadingWorkers.Configuration {
  /// The workers that read archives.
  /// - Parameter seconds: The setting `limits.archiveSeconds`.
  public static func archives(helpers: HelperLocator = HelperLocator(), seconds: Double = 60)
    -> Self
  {
    Self(
      ReadingWorkers.Role(
        helperName: UnpackProgram.name, worker: UnpackProgram.worker,
        maxFrameBytes: UnpackEvent.maxFrameBytes), helpers: helpers, seconds: seconds)
  }

  public static func archives(_ settings: Settings) -> Self {
    var configuration = archives(seconds: settings.limits.archiveSeconds)
    configuration.sandbox = SandboxUse(
      renderer: settings.adapters.renderer, isRequired: settings.sandbox.required)
    return configuration
  }
}
