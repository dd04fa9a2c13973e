import Markup
public import Models
import RenderMessages
public import Wiring
import WorkerProcess

/// Registers the reader of markup `sandbox`, whose worker processes are confined like those of the renderer.
public enum MarkupPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("sandbox", for: .markup) { container in
      let settings = try container.resolve(.settings)
      return SandboxedMarkupReader(
        workers: MarkupWorkers(MarkupWorkers.Configuration(settings)))
    }
  }
}

extension MarkupWorkers.Configuration {
  public init(_ settings: Settings) {
    self.init(seconds: settings.limits.markupSeconds)
    sandbox = SandboxUse(
      renderer: settings.adapters.renderer, isRequired: settings.sandbox.required)
  }
}
