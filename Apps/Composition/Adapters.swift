import ArchiveSandbox
public import Models
import PersistenceMemory
import PersistenceSQLite
import ProgressTree
import RenderingSandbox
import TransportSocket
import TransportURLSession
public import Wiring

/// The only list of adapters: a new one is one line here.
public enum Adapters {
  static var plugins: [any Plugin.Type] {
    [
      SocketTransportPlugin.self, URLSessionPlugin.self, ArchivePlugin.self,
      RenderingPlugin.self, SQLiteStorePlugin.self,
      MemoryStorePlugin.self, ProgressPlugin.self,
    ]
  }

  /// - Parameter spoolFolder: where transports that need it keep temporary files.
  public static func catalogue(_ settings: Settings, spoolFolder: String) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.provide(settings, for: .settings)
    for plugin in plugins { plugin.register(in: &catalogue) }
    URLSessionPlugin.register(in: &catalogue, spoolFolder: spoolFolder)
    return catalogue
  }

  /// The stores alone.
  static func stores(_ settings: Settings) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.provide(settings, for: .settings)
    SQLiteStorePlugin.register(in: &catalogue)
    MemoryStorePlugin.register(in: &catalogue)
    return catalogue
  }

  /// The renderers alone.
  static func renderers(_ settings: Settings) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.provide(settings, for: .settings)
    RenderingPlugin.register(in: &catalogue)
    return catalogue
  }

  /// Port → adapter, as the settings say.
  public static func choices(_ settings: Settings) -> [String: String] {
    [
      "transport": settings.adapters.transport,
      "archive": settings.adapters.archive,
      "renderer": settings.adapters.renderer,
      "store": settings.adapters.store,
      "progress": settings.adapters.progress,
    ]
  }
}
