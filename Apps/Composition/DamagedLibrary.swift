import Engine
import LibraryAPI
public import Models
import Persistence
import SystemCalls
import Wiring

/// Libraries whose database is damaged or lost.
extension LibraryOpener {
  /// Whether an error says that the database of a library is damaged or lost.
  public static func isDamage(_ error: any Error) -> Bool {
    let cause = (error as? LibraryError)?.underlying ?? error
    return (cause as? StoreError)?.code == .damaged
  }

  /// Resets a library whose database cannot be opened.
  /// - Returns: The names of the entries of the library's folder that stay, because it is not known what they are.
  public static func resetDamaged(at path: String, settings: Settings) async throws -> [String] {
    let layout = LibraryLayout(root: FileSystem.canonicalPath(path))
    return try await Engine.resetDamaged(root: layout.root, opening: try opening(layout, settings))
  }

  /// Returns one sentence for each problem of a library's database; none if there is no library.
  /// - Throws: The error of a database that cannot be opened.
  public static func databaseProblems(at path: String, settings: Settings) async throws -> [String]
  {
    let layout = LibraryLayout(root: FileSystem.canonicalPath(path))
    guard FileSystem.exists(layout.internals) else { return [] }
    let opening = try opening(layout, settings)
    try requireDatabase(of: layout, opening)
    guard opening.exists(folder: layout.internals),
      let store = try await openStore(at: path, settings: settings)
    else { return [] }
    do {
      let problems = try await store.integrityProblems()
      await store.close()
      return problems
    } catch {
      await store.close()
      throw error
    }
  }

  /// Throws if the library's database is missing although the library has thumbnails, so that it must have been deleted.
  /// A new one would make the library seem empty.
  static func requireDatabase(
    of layout: LibraryLayout, _ opening: any StoreOpening
  ) throws(StoreError) {
    guard !opening.exists(folder: layout.internals),
      let renditions = try? layout.folder.list(layout.renditions), !renditions.isEmpty
    else { return }
    throw StoreError(
      .damaged, "\(layout.internals): the database is missing, although the library has thumbnails")
  }

  private static func opening(
    _ layout: LibraryLayout, _ settings: Settings
  ) throws -> any StoreOpening {
    var container = try Adapters.container(
      settings, spoolFolder: layout.incoming, onlyFor: Port<any StoreOpening>.store.name
    ) { _ in }
    return try container.resolve(.store)
  }
}
