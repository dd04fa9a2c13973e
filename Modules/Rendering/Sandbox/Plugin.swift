import Models
import RenderMessages
import Rendering
import SystemCalls
public import Wiring
import WorkerProcess

/// Makes the pool of worker processes known: `sandbox`, and `unconfined`, the same without sandbox layers,
/// for comparison.
public enum RenderingPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    for (name, isConfined) in [("sandbox", true), ("unconfined", false)] {
      catalogue.register(name, for: .renderer) { container in
        let settings = try container.resolve(.settings)
        var configuration = WorkerPoolConfiguration(
          settings, helpers: HelperLocator(), processorCount: Machine.processorCount)
        if !isConfined { configuration.sandbox = .none }
        return WorkerPoolRenderer(configuration)
      }
    }
  }
}
