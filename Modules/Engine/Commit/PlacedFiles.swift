import LibraryAPI
import Models
import Persistence
import SystemCalls

/// The refusal of a name by the file system, which fails one resource.
struct Refusal: Sendable {
  let error: SystemError
  /// Whether the file that the arrival was to replace is still at its path.
  let hasOldFile: Bool

  /// The reason of the resource as a clause for users.
  var reason: String { "its file cannot be stored: \(error.description)" }

  /// The file that was to be replaced and stays that of the resource; nil if there is none.
  func keptFile(of arrival: CommitWork.Arrival) -> KeptFile? {
    guard hasOldFile, let old = arrival.resource.file else { return nil }
    let needsPages = if case .fetched = arrival.followUp { true } else { false }
    return KeptFile(arrival.resource, old, needsPages: needsPages, failure: reason)
  }

  /// The changes of the arrival's row, whose state is `stored`.
  func changes(of arrival: CommitWork.Arrival) -> [ResourceChange] {
    if let kept = keptFile(of: arrival) {
      return [.stored(kept.resource.id, kept.file), kept.change]
    }
    let id = arrival.resource.id
    return [.requeued(id, reason: nil), .failed(id, reason: reason, pages: [])]
  }
}

/// Puts the files of one batch in place, and records what became of each. Blocks.
struct PlacedFiles: Sendable {
  var duplicates: DuplicateFiles
  /// The arrivals whose duplicate was missing or has other content.
  private(set) var missing: Set<ResourceID> = []
  private(set) var refused: [ResourceID: Refusal] = [:]

  init(duplicates: DuplicateFiles) { self.duplicates = duplicates }

  /// Places one file.
  /// - Throws: `SystemError` if the library's folders cannot be written.
  mutating func place(
    _ arrival: CommitWork.Arrival, _ placement: Placement, through folders: OpenFolders,
    _ layout: LibraryLayout
  ) throws {
    let digest = arrival.file.digest
    let paths = arrival.mayHaveDuplicate ? duplicates.paths(of: digest) : []
    do {
      guard
        try placement.place(
          arrival, duplicates: paths, placed: duplicates.placed, through: folders)
      else {
        missing.insert(arrival.resource.id)
        // The row no longer names the file that was to be replaced, so that file is deleted.
        return try layout.folder.removeUnlessRefused(
          layout.original(arrival.file, in: arrival.record))
      }
      if duplicates.isNeeded {
        duplicates.register(
          layout.original(arrival.file, in: arrival.record), digest, isPlaced: true)
      }
    } catch let error as SystemError {
      try refuse(arrival, error, layout)
    }
  }

  private mutating func refuse(
    _ arrival: CommitWork.Arrival, _ error: SystemError, _ layout: LibraryLayout
  ) throws(SystemError) {
    let folder = layout.folder(of: arrival.record)
    let probe = LibraryProbe(layout: layout)
    guard probe.concernsName(error, in: folder) else { throw probe.describing(error) }
    let old = arrival.resource.file.map { ("\(folder)/\($0.name)", $0.byteCount) }
    let hasOldFile =
      old.flatMap { path, size in
        (try? layout.folder.status(path)).map { $0.kind == .file && $0.size == size }
      } ?? false
    refused[arrival.resource.id] = Refusal(error: error, hasOldFile: hasOldFile)
  }
}

extension ConfinedFolder {
  /// Removes a file that is no longer needed. What cannot be removed because it is something else, such as a folder
  /// that the user has put in its place, stays.
  func removeUnlessRefused(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try removeIfExists(path)
    } catch {
      guard error.mayConcernName else { throw error }
    }
  }
}
