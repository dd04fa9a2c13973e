import Models
import RenderMessages
import Rendering
import SystemCalls
public import Wiring
import WorkerProcess

/// Registers the pool of worker processes as the renderer `sandbox`, and, for comparison, a pool without
/// sandbox layers as `unconfined`.
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
