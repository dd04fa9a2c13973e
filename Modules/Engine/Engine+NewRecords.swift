import LibraryAPI
import Models
import Naming
import Persistence
import SystemCalls
import Threading

/// Makes records with folders that are free.
extension Engine {
  /// - Parameter draft: its folder is made from its title.
  func makeRecord(_ draft: RecordDraft, at place: InsertPosition = .end) async throws -> Record {
    var draft = draft
    let base = SafeName.folder(draft.title)
    for number in 1... {
      draft.folder = number == 1 ? base : Self.numbered(base, number)
      // What lies there already is not ours, and our files are not to be mixed with it.
      let path = "\(layout.root)/\(draft.folder)"
      if try await disk.run({ [layout] in layout.folder.exists(path) }) { continue }
      try await untilUnlocked()
      do throws(StoreError) {
        let id = try store.appendRecord(draft, at: place)
        return Record(
          id: id, source: draft.source, title: draft.title, folder: draft.folder,
          isLazy: draft.isLazy)
      } catch {
        guard error.code == .folderTaken else { throw error }
      }
    }
    throw LibraryError(.io, "no free folder name for \(draft.title)")
  }

  /// The entries of a source that is being added.
  /// - Returns: the id of the last one.
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID
  ) async throws(StoreError) -> ResourceID {
    try await store.catchUp()
    try await untilUnlocked()
    return try store.insertResources(drafts, into: record, at: .end).last
  }

  /// `name (2)`; a long name is shortened, so that the number stays.
  private static func numbered(_ base: String, _ number: Int) -> String {
    var base = base
    while base.utf8.count > 180 { base.removeLast() }
    return SafeName.folder("\(base) (\(number))")
  }
}
