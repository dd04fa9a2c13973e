import ArchiveSandbox
import MarkupSandbox
public import Models
import PersistenceMemory
import PersistenceSQLite
import ProgressTree
import RenderingSandbox
import Transport
import TransportSocket
import TransportURLSession
public import Wiring

/// The adapters of all ports. A new adapter has to be added only here.
public enum Adapters {
  static var plugins: [any Plugin.Type] {
    [
      SocketTransportPlugin.self, URLSessionPlugin.self, ArchivePlugin.self, MarkupPlugin.self,
      RenderingPlugin.self, SQLiteStorePlugin.self,
      MemoryStorePlugin.self, ProgressPlugin.self,
    ]
  }

  /// Returns the catalogue of all adapters.
  /// - Parameter spoolFolder: The folder in which transports keep temporary files, if they need any.
  public static func catalogue(_ settings: Settings, spoolFolder: String) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.provide(settings, for: .settings)
    catalogue.provide(SpoolFolder(spoolFolder), for: .spoolFolder)
    for plugin in plugins { plugin.register(in: &catalogue) }
    return catalogue
  }

  /// Returns the dependency graph of all adapters, from which the caller resolves those that it needs.
  /// - Parameters:
  ///   - port: The only port that the caller resolves; nil means all. Settings of the other ports, and the
  ///     files that these settings name, are not checked.
  ///   - change: Adds or replaces adapters.
  static func container(
    _ settings: Settings, spoolFolder: String, onlyFor port: String? = nil,
    changing change: (inout Catalogue) -> Void
  ) throws -> Container {
    var catalogue = catalogue(settings, spoolFolder: spoolFolder)
    change(&catalogue)
    guard let port else {
      // The user's passwords and cookies apply to every transport.
      try CredentialFiles.apply(settings, to: &catalogue)
      return try Container(catalogue, choosing: choices(settings))
    }
    return try Container(catalogue, choosing: choices(settings).filter { $0.key == port })
  }

  /// The name of the adapter that the settings choose for each port.
  public static func choices(_ settings: Settings) -> [String: String] {
    [
      "transport": settings.adapters.transport,
      "archive": settings.adapters.archive,
      "markup": settings.adapters.markup,
      "renderer": settings.adapters.renderer,
      "store": settings.adapters.store,
      "progress": settings.adapters.progress,
    ]
  }
}
