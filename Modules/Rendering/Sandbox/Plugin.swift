import Models
import RenderMessages
import Rendering
import SystemCalls
public import Wiring
import WorkerProcess

/// Makes the pool of worker processes known: `sandbox`, and `unconfined`, the same without belts, for
/// comparison.
public enum RenderingPlugin: Plugin {
  /// The values of the setting `adapters.decoder`.
  public static let decoders = ["auto", "codecs", "vips", "poppler"]

  public static func register(in catalogue: inout Catalogue) {
    for (name, isConfined) in [("sandbox", true), ("unconfined", false)] {
      catalogue.register(name, for: .renderer) { container in
        let settings = try container.require(.settings)
        let decoder = settings.adapters.decoder
        guard decoders.contains(decoder) else {
          throw WiringError.unknownAdapter(decoder, port: "decoder", known: decoders)
        }
        var configuration = WorkerPoolConfiguration(
          settings, helpers: HelperLocator(), processorCount: Machine.processorCount)
        if !isConfined { configuration.sandbox = .none }
        return WorkerPoolRenderer(configuration)
      }
    }
  }
}
