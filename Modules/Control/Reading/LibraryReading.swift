public import LibraryAPI
public import Models
public import Persistence

/// The access to those parts of a library that a server reads without the engine: rows, files, and settings.
public struct LibraryReading: Sendable {
  /// The real path of the library's folder; the server opens no file outside of it.
  public let root: String
  let store: @Sendable () async throws(LibraryError) -> any LibraryReader
  let settings: @Sendable () async throws(LibraryError) -> Settings
  /// Reads a source without adding it (`SourcePreviewing.run`).
  let preview: Preview

  public typealias Preview =
    @Sendable (
      SourceRequest, _ emit: @escaping @Sendable (PreviewEntry) -> Void
    ) async throws(LibraryError) -> [String]

  /// - Parameters:
  ///   - store: Returns the reader of the current engine's store.
  ///   - settings: Returns the settings that the current engine was opened with.
  ///   - preview: Reads a source without adding it.
  public init(
    root: String, store: @escaping @Sendable () async throws(LibraryError) -> any LibraryReader,
    settings: @escaping @Sendable () async throws(LibraryError) -> Settings,
    preview: @escaping Preview = Self.withoutPreview
  ) {
    self.root = root
    self.store = store
    self.settings = settings
    self.preview = preview
  }

  public static let withoutPreview: Preview = { _, _ async throws(LibraryError) in
    throw LibraryError(.source, "this server cannot preview sources")
  }

  /// Returns an access whose calls always throw, for a server without rows and files.
  static func nothing(root: String) -> LibraryReading {
    LibraryReading(root: root) { () throws(LibraryError) in
      throw LibraryError(.store, "this server has no read access to the library")
    } settings: { () throws(LibraryError) in
      throw LibraryError(.store, "this server has no read access to the library")
    }
  }
}
