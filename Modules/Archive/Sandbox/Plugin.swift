import Archive
public import ArchiveMessages
public import Models
import RenderMessages
public import Wiring
import WorkerProcess

/// Registers the archive readers `minizip` and `libarchive`, whose worker processes are confined like those
/// of the renderer.
public enum ArchivePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    for adapter in ArchiveAdapter.allCases {
      catalogue.register(adapter.rawValue, for: .archive) { container in
        let settings = try container.resolve(.settings)
        let workers = ArchiveWorkers(ArchiveWorkers.Configuration(settings))
        return reader(adapter, workers)
      }
    }
  }

  /// Returns a reader that uses the chosen adapter for the formats of that adapter, and libarchive for all
  /// others.
  private static func reader(
    _ adapter: ArchiveAdapter, _ workers: ArchiveWorkers
  ) -> any ArchiveReader {
    let order = adapter == .libarchive ? [adapter] : [adapter, .libarchive]
    return FormatRoutingReader(order.map { SandboxedArchiveReader($0, workers: workers) })
  }
}

extension SandboxedArchiveReader {
  public init(_ adapter: ArchiveAdapter, workers: ArchiveWorkers) {
    self.init(adapter, formats: adapter.formats, workers: workers)
  }
}

extension ArchiveWorkers.Configuration {
  public init(_ settings: Settings) {
    self.init(seconds: settings.limits.archiveSeconds)
    sandbox = SandboxUse(
      renderer: settings.adapters.renderer, isRequired: settings.sandbox.required)
  }
}
