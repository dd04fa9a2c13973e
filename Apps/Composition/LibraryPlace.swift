import LibraryAPI
import Models
public import Persistence
import SystemCalls

extension LibraryOpener {
  /// Throws if a new library would be created in a folder that belongs to another library: its folder `.imgdl`, or that
  /// of one of its records. Removing the record would leave the new library behind without a trace in the other one.
  static func requirePlace(of layout: LibraryLayout, settings: Settings) async throws {
    guard !FileSystem.exists(layout.internals) else { return }
    let root = layout.root
    var folder = root.hasPrefix("/") ? root : "\(FileSystem.canonicalPath("."))/\(root)"
    // A path is relative only if the current folder was deleted.
    while folder.hasPrefix("/"), folder != "/" {
      let name = String(folder.split(separator: "/").last ?? "")
      folder = FileSystem.parentFolder(of: folder)
      let outer = LibraryLayout(root: folder)
      guard FileSystem.exists(outer.internals) else { continue }
      let place: String
      if name == ".imgdl" {
        place = "the internal folder"
      } else if await hasRecord(in: name, of: outer, settings) {
        place = "the record \"\(name)\""
      } else {
        continue
      }
      throw LibraryError(
        .policy,
        "\(root) belongs to \(place) of the library \(outer.root); name another folder for a library"
      )
    }
  }

  /// Returns false also for a library that cannot be read: it is not known to own the folder.
  private static func hasRecord(
    in folder: String, of layout: LibraryLayout, _ settings: Settings
  ) async -> Bool {
    guard let store = try? await openStore(at: layout.root, settings: settings) else {
      return false
    }
    let isFound = try? await store.hasRecord(inFolder: folder)
    await store.close()
    return isFound ?? false
  }
}

extension LibraryReader {
  /// Returns whether a record has its files in the folder of this name.
  public func hasRecord(inFolder name: String) async throws(StoreError) -> Bool {
    var offset = 0
    while case let page = try await records(offset: offset, limit: 500), !page.isEmpty {
      if page.contains(where: { $0.folder == name }) { return true }
      offset += page.count
    }
    return false
  }
}
