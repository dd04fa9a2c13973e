public import Archive
public import Models
public import Rendering
import RenderMessages
import SystemCalls
public import Wiring
public import WorkerProcess

extension LibraryOpener {
  /// Checks that the program which makes thumbnails exists. Must be called before downloads begin: without it,
  /// every single image would fail, although nothing is wrong with it.
  /// - Throws: `SettingError` that names the program, and the setting without which it is not needed.
  public static func requireRenderer(
    _ settings: Settings, helpers: HelperLocator = HelperLocator()
  ) throws(SettingError) {
    guard settings.rendering.thumbnails else { return }
    do throws(WorkerError) {
      _ = try helpers.path(of: RenderProgram.name)
    } catch {
      throw SettingError(
        "\(error.description), or download without thumbnails (--no-thumbnails, "
          + "rendering.thumbnails=false)")
    }
  }

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

  /// Returns the archive reader that the settings name, for a program that reads archives of a library. Worker
  /// processes are started with the first request.
  public static func openArchiveReader(_ settings: Settings) throws -> any ArchiveReader {
    var container = try Adapters.container(
      settings, spoolFolder: Machine.environment("TMPDIR") ?? "/tmp",
      onlyFor: Port<any ArchiveReader>.archive.name, changing: { _ in })
    return try container.resolve(.archive)
  }
}
