import LibraryAPI
import Models
import Naming
import Persistence
import SystemCalls
import Threading

/// Creates records, each with a folder whose name is not taken.
final class RecordMakingStage: Stage {
  /// Creates a record in the store, with the name of a folder that does not exist.
  /// - Parameter draft: The draft of the record; its folder is derived from its title.
  func makeRecord(_ draft: RecordDraft, at place: InsertPosition) async throws -> Record {
    var draft = draft
    var base = SafeName.folder(draft.title, limit: context.nameLimit.length)
    if base.utf8.count > LibraryProbe.commonLength,
      let limit = try await limit(forFolder: base)
    {
      context.nameLimit.lower(to: limit)
      base = SafeName.folder(draft.title, limit: limit)
    }
    for number in 1... {
      draft.folder = number == 1 ? base : Self.numbered(base, number, context.nameLimit.length)
      // An existing folder was not created by imgdl, and its files must not be mixed with the record's.
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

  /// Returns the length of the longest name that the file system accepts, if it refuses this one; nil if it accepts it.
  private func limit(forFolder name: String) async throws -> Int? {
    let probe = LibraryProbe(layout: layout)
    return try await disk.run {
      probe.acceptsFolder(name) ? nil : probe.longestName(upTo: name.utf8.count)
    }
  }

  /// Inserts the entries of a source that is being added.
  /// - Returns: The id of the last inserted resource.
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID
  ) async throws(StoreError) -> ResourceID {
    try await store.catchUp()
    try await untilUnlocked()
    return try store.insertResources(drafts, into: record, at: .end).last
  }

  /// Returns `name (2)`; a long name is shortened so that the number is kept.
  private static func numbered(_ base: String, _ number: Int, _ limit: Int) -> String {
    var base = base
    while base.utf8.count > max(1, limit - 20) { base.removeLast() }
    return SafeName.folder("\(base) (\(number))", limit: limit)
  }
}
