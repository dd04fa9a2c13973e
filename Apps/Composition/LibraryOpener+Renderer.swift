public import Models
public import Rendering
import SystemCalls
public import Wiring

extension LibraryOpener {
  /// Returns the renderer that the settings name, for a program that shows images of a library. Worker
  /// processes are started with the first request.
  /// - Parameter change: Adds or replaces renderers.
  public static func openRenderer(
    _ settings: Settings, changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> any Renderer {
    try await Adapters.checkDecoder(settings)
    var container = try Adapters.container(
      settings, spoolFolder: Machine.environment("TMPDIR") ?? "/tmp",
      onlyFor: Port<any Renderer>.renderer.name, changing: change)
    return try container.resolve(.renderer)
  }
}
