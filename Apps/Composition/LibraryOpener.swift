import Archive
import Control
public import Engine
public import LibraryAPI
import Markup
public import Models
public import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Threading
import Transport
public import Wiring

/// Opens libraries: the entry point for programs and for other packages.
///
/// ```swift
/// let engine = try await LibraryOpener.openEngine(at: "/srv/birds", settings: Settings())
/// try await engine.start()
/// _ = try await engine.add(SourceRequest(location: .url(try HTTPURL("https://example.org/birds.zip"))))
/// try await engine.waitUntilIdle()
/// await engine.stop()
/// ```
public enum LibraryOpener {
  /// Acquires the library's lock and creates an engine with the adapters that the settings name.
  /// - Parameters:
  ///   - path: The library's folder; created if it is missing.
  ///   - overriding: The names of the settings that take precedence over values that a user changed in an
  ///     earlier run.
  ///   - isServed: Whether the program will let other processes connect to the engine (`connect`).
  ///   - change: Adds or replaces adapters.
  /// - Throws: `WiringError` if a setting names an unknown adapter, `LibraryError` if the library cannot be
  ///   opened.
  public static func openEngine(
    at path: String, settings: Settings, overriding: Set<String> = [], isServed: Bool = false,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> Engine {
    let socket = { isServed ? try? ControlAddress(libraryRoot: path).path : nil }
    return try await openEngine(
      at: path, settings: settings, overriding: overriding, socket: socket(), changing: change)
  }

  /// Acquires the library's lock and creates an engine.
  /// - Parameters:
  ///   - socket: The path of the socket at which other processes will reach the engine; nil for an engine without
  ///     server.
  ///   - lock: The library's lock, held by an earlier program of this process.
  static func openEngine(
    at path: String, settings: Settings, overriding: Set<String>,
    socket: @autoclosure () -> String?, inheriting lock: OwnedDescriptor? = nil,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> Engine {
    let resources = try await ProcessResources.prepare(for: settings)
    resources.warning(settings).map(ResourceWarnings.report)
    var settings = settings
    settings.network.connections = min(settings.network.connections, resources.transfers)
    let layout = LibraryLayout(root: FileSystem.canonicalPath(path))
    try await Adapters.checkDecoder(settings)
    var container = try Adapters.container(
      settings, spoolFolder: layout.incoming, changing: change)
    var ports = EnginePorts(
      transport: try container.resolve(.transport),
      archive: try container.resolve(.archive),
      markup: try container.resolve(.markup),
      renderer: try container.resolve(.renderer),
      progress: try container.resolve(.progress))
    ports.transferCeiling = resources.transfers
    let opening = try container.resolve(.store)
    try requireDatabase(of: layout, opening)
    try await requirePlace(of: layout, settings: settings)
    // Folders are created after the settings have been checked, so that a typing error creates none. The
    // address of the engine's socket is derived from the real path of the library's folder, which must exist.
    if !FileSystem.exists(layout.root) { try FileSystem.makeFolders(layout.root) }
    return try await Engine.open(
      root: layout.root, settings: settings, ports: ports, opening: opening,
      overriding: overriding, socket: socket(), inheriting: lock)
  }

  /// Opens the library's store for reading, even while an engine works on the library.
  ///
  /// The store is opened in read-only mode on a read-only file system, without write permission, and on a
  /// full disk.
  /// - Parameter change: Adds or replaces stores.
  /// - Returns: The reader; nil if there is no library.
  public static func openStore(
    at path: String, settings: Settings,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> (any LibraryReader)? {
    let layout = LibraryLayout(root: FileSystem.canonicalPath(path))
    guard FileSystem.exists(layout.internals) else {
      if let status = try? FileSystem.status(layout.root), status.kind != .folder {
        throw LibraryError(.io, "\(layout.root) is not a folder, so no library is in it")
      }
      return nil
    }
    try layout.makePrivate()
    // Only the store's adapter is created: reading needs no transport and no helper program.
    var container = try Adapters.container(
      settings, spoolFolder: layout.incoming, onlyFor: Port<any StoreOpening>.store.name,
      changing: change)
    let opening = try container.resolve(.store)
    try requireDatabase(of: layout, opening)
    do throws(StoreError) {
      // Opening creates or migrates the schema; only the store's reader is needed after that.
      return try await opening.open(folder: layout.internals).reader
    } catch {
      guard error.code == .readOnly || error.code == .diskFull else { throw error }
      return try await opening.openForReading(folder: layout.internals)
    }
  }
}

extension LibraryOpener {
  /// Reads a source without adding it, with temporary files in a folder that only this call uses.
  /// - Parameter emit: Called for each entry.
  /// - Returns: One sentence for each entry that cannot be used.
  static func preview(
    _ request: SourceRequest, settings: Settings,
    emit: @escaping @Sendable (PreviewEntry) -> Void
  ) async throws(LibraryError) -> [String] {
    let disk = BlockingQueue("preview-folder")
    do {
      let folder = try await disk.run { try FileSystem.temporaryFolder(prefix: "imgdl-preview") }
      defer { disk.start { try? FileSystem.removeTree(folder) } }
      let preview = try preview(folder: folder, settings: settings)
      let result: Result<[String], LibraryError>
      do throws(LibraryError) {
        result = .success(try await preview.run(request, emit: emit).problems)
      } catch {
        result = .failure(error)
      }
      await preview.close()
      return try result.get()
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  /// Returns a reader of sources that needs no library.
  /// - Parameters:
  ///   - folder: An existing folder for temporary files.
  ///   - change: Adds or replaces adapters.
  public static func preview(
    folder: String, settings: Settings, changing change: (inout Catalogue) -> Void = { _ in }
  ) throws -> any SourcePreviewing {
    var container = try Adapters.container(settings, spoolFolder: folder, changing: change)
    return SourcePreview(
      folder: folder, settings: settings, transport: try container.resolve(.transport),
      archive: try container.resolve(.archive), markup: try container.resolve(.markup))
  }

  /// Returns a reader of zip archives on servers, which needs no library.
  /// - Parameters:
  ///   - folder: An existing folder for temporary files of the transport.
  ///   - change: Adds or replaces adapters.
  public static func remoteArchives(
    folder: String, settings: Settings, changing change: (inout Catalogue) -> Void = { _ in }
  ) throws -> any RemoteArchiveReading {
    var container = try Adapters.container(settings, spoolFolder: folder, changing: change)
    return RemoteArchiveReader(
      settings: settings, transport: try container.resolve(.transport),
      archive: try container.resolve(.archive))
  }
}
