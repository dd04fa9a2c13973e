public import Models
public import Rendering
import Wiring

extension Library {
  /// The renderer that the settings name, for a program that shows pictures of a library. Nothing
  /// is started before it is asked for one.
  public static func openRenderer(_ settings: Settings) async throws -> any Renderer {
    try await Adapters.checkDecoder(settings)
    return try Container(
      Adapters.renderers(settings), choosing: ["renderer": settings.adapters.renderer]
    ).resolve(.renderer)
  }
}
