import Markup
import MarkupMessages
public import Models
public import RenderMessages
public import Wiring
public import WorkerProcess

/// Registers the reader of markup `sandbox`, whose worker processes are confined like those of the renderer.
public enum MarkupPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("sandbox", for: .markup) { container in
      let settings = try container.resolve(.settings)
      return SandboxedMarkupReader(workers: ReadingWorkers(.markup(settings)))
    }
  }
}

extension ReadingWorkers.Configuration {
  /// The workers that read markup. A worker sends the first items of an HTML document after it has parsed all of
  /// it.
  /// - Parameter seconds: The setting `limits.markupSeconds`.
  public static func markup(helpers: HelperLocator = HelperLocator(), seconds: Double = 20)
    -> Self
  {
    Self(
      ReadingWorkers.Role(
        helperName: MarkupProgram.name, worker: MarkupProgram.worker,
        maxFrameBytes: ReadReport.maxFrameBytes), helpers: helpers, seconds: seconds)
  }

  public static func markup(_ settings: Settings) -> Self {
    var configuration = markup(seconds: settings.limits.markupSeconds)
    configuration.sandbox = SandboxUse(
      renderer: settings.adapters.renderer, isRequired: settings.sandbox.required)
    return configuration
  }
}
