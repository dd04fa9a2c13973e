public import Models
public import Rendering
import Wiring

extension Library {
  /// The renderer that the settings name, for a program that shows pictures of a library. Nothing
  /// is started before it is asked for one.
  public static func openRenderer(_ settings: Settings) throws -> any Renderer {
    try Container(
      Adapters.renderers(settings), choosing: ["renderer": settings.adapters.renderer]
    ).resolve(.renderer)
  }
}
