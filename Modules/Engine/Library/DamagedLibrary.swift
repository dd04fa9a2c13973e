public import LibraryAPI
import Models
public import Persistence
import SystemCalls
import Threading

extension Engine {
  /// Resets a library whose store cannot be opened: deletes what the folder `.imgdl` has of it, and makes an empty store.
  /// The folders of records stay, since only the store knows which of the user's folders they are.
  /// - Returns: The names of the entries of the library's folder that stay.
  /// - Throws: `locked` if another process uses the library.
  public static func resetDamaged(
    root: String, opening: any StoreOpening
  ) async throws(LibraryError) -> [String] {
    do {
      let layout = LibraryLayout(root: FileSystem.canonicalPath(root))
      let disk = BlockingQueue("reset")
      let lock = try await disk.run {
        try layout.prepareFolders()
        return try LibraryLock(layout, socket: nil)
      }
      defer { lock.release() }
      try await opening.discard(folder: layout.internals)
      try await disk.run {
        for folder in [layout.incoming, layout.renditions, layout.standalone]
        where layout.folder.exists(folder) {
          try layout.folder.removeContents(of: folder)
        }
      }
      let store = try await opening.open(folder: layout.internals)
      await store.reader.close()
      store.close()
      return try await disk.run {
        try FileSystem.list(layout.root).map(\.name).filter { $0 != ".imgdl" }.sorted()
      }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }
}
