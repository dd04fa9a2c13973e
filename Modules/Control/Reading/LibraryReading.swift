public import LibraryAPI
public import Models
public import Persistence

/// What a server reads of a library by itself, beside asking the engine: its rows, its files, its
/// settings.
public struct LibraryReading: Sendable {
  /// Real path of the library's folder: no file outside of it is ever opened.
  public let root: String
  let store: @Sendable () async throws(LibraryError) -> any LibraryReader
  let settings: @Sendable () async throws(LibraryError) -> Settings

  /// - Parameters:
  ///   - store: that of the engine of this moment.
  ///   - settings: those that the engine of this moment was opened with.
  public init(
    root: String, store: @escaping @Sendable () async throws(LibraryError) -> any LibraryReader,
    settings: @escaping @Sendable () async throws(LibraryError) -> Settings
  ) {
    self.root = root
    self.store = store
    self.settings = settings
  }

  /// For a server that only steers.
  static func nothing(root: String) -> LibraryReading {
    LibraryReading(root: root) { () throws(LibraryError) in
      throw LibraryError(.store, "this library cannot be read here")
    } settings: { () throws(LibraryError) in
      throw LibraryError(.store, "this library cannot be read here")
    }
  }
}
