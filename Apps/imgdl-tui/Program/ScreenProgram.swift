import Composition
import LibraryAPI
import Models
import ProgramSupport
import Rendering
import Screens
import SystemCalls
import Terminal

/// The full-screen interface: creates its parts, connects them, and shuts them down.
struct ScreenProgram {
  let options: Options

  init(_ options: Options) { self.options = options }

  func run() async throws -> ExitCode {
    let settings = options.loaded.settings
    // An error in the settings is reported before the terminal switches to the full screen.
    let renderer = try await LibraryOpener.openRenderer(settings)
    var terminal = TerminalOptions(environment: SettingsLoader.processEnvironment)
    terminal.mouse = options.hasMouse
    terminal.images = options.images
    let screen = try await TerminalSession.open(terminal)
    let inbox = Inbox()
    let library = LibrarySession(
      options.library, options.loaded, inbox: inbox, places: ReadingPositions())
    let files = ImageFiles(
      library: library, layout: LibraryLayout(root: FileSystem.canonicalPath(options.library)),
      thumbnailSide: settings.rendering.thumbnailSide, pageSide: settings.rendering.pageSide)
    let images = ImageLoader(
      files, renderer, width: Machine.processorCount, inbox: inbox)

    let state = State(
      ScreenSettings(
        libraryName: Self.abbreviated(options.library),
        defaultSource: settings.source.default, imageBytes: settings.cache.memoryBytes,
        scheme: ColourScheme(settings.tui.theme)),
      size: screen.size, capabilities: screen.capabilities)

    let working = [
      Task { await library.run() },
      Task { await images.run() },
      Task {
        for await events in screen.events { for event in events { inbox.post(.terminal(event)) } }
        // The terminal was closed, so the program ends.
        inbox.close()
      },
    ]
    await Loop(state, inbox: inbox, screen: screen, library: library, images: images).run()
    await screen.close()
    await images.close()
    await library.close()
    for task in working { task.cancel() }
    return .success
  }

  private static func abbreviated(_ path: String) -> String {
    guard let home = Machine.homeFolder, home.count > 1, path.hasPrefix(home + "/") else {
      return path
    }
    return "~" + path.dropFirst(home.count)
  }
}

extension ColourScheme {
  /// Creates the scheme of a theme; nil for `auto`, which means the scheme that suits the terminal's
  /// background.
  init?(_ theme: Settings.Theme) {
    switch theme {
    case .auto: return nil
    case .dark: self = .dark
    case .light: self = .light
    }
  }
}
