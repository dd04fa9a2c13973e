import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Moves one original to its name in the library. Blocks.
struct Placement: Sendable {
  /// Creates a hard link `new` to the file `path`; throws only `SystemError`.
  typealias Link = @Sendable (_ path: String, _ new: String) throws -> Void

  private let layout: LibraryLayout
  private let link: Link
  private let intact = IntactFiles()
  private var folder: ConfinedFolder { layout.folder }

  /// - Parameter link: Creates a hard link; a test may pass another implementation.
  init(
    _ layout: LibraryLayout,
    link: Link? = nil
  ) {
    self.layout = layout
    let folder = layout.folder
    self.link = link ?? { try folder.link($0, to: $1) }
  }

  /// Moves the arrival's file to its name, or links a duplicate to that name.
  /// - Parameters:
  ///   - duplicates: The paths of originals whose rows have the digest of the arrival, the best to link
  ///     first.
  ///   - placed: The paths of files whose content is known to be that of their rows.
  ///   - folders: The open folders of a batch of files.
  /// - Returns: false if the file to be linked is missing or has other content.
  /// - Throws: `SystemError` if the library's folders cannot be written.
  func place(
    _ arrival: CommitWork.Arrival, duplicates: [String] = [], placed: Set<String> = [],
    through folders: OpenFolders? = nil
  ) throws -> Bool {
    if duplicates.isEmpty, case .partial(let request) = arrival.origin, let folders,
      try folders.move(request, to: arrival.file, in: arrival.record)
    {
      return true
    }
    let target = layout.original(arrival.file, in: arrival.record)
    switch arrival.origin {
    case .partial(let request):
      try movePartial(layout.partial(of: request), to: target, duplicates)
      return true
    case .spool(let path):
      try movePartial(path, to: target, duplicates)
      return true
    case .existing:
      // Any file with the same content is suitable; the file that the origin names may have been replaced.
      let draft = "\(layout.incoming)/\(arrival.resource.id).link"
      return try linkDuplicate(duplicates, arrival.file, at: target, draft, placed)
    }
  }

  /// Places a complete partial file: links a duplicate if there is one, else moves the file.
  private func movePartial(_ partial: String, to target: String, _ duplicates: [String]) throws {
    for duplicate in duplicates {
      // Equal digests in rows do not prove that the files are equal, so the bytes are compared.
      guard (try? FileContents.areEqual(partial, duplicate, in: folder)) ?? false else { continue }
      if duplicate != target {
        guard (try? linkFile(target, to: duplicate, over: partial + ".link")) ?? false else {
          continue
        }
      }
      return try folder.removeIfExists(partial)
    }
    try folder.moveIntoFolders(partial, to: target)
  }

  private func linkDuplicate(
    _ paths: [String], _ file: StoredFile, at target: String, _ draft: String, _ placed: Set<String>
  ) throws -> Bool {
    var there: [String] = []
    for path in paths.filter({ $0 == target }) + paths.filter({ $0 != target })
    where hasContent(of: file, at: path, placed) {
      if path == target { return true }
      do {
        if try linkFile(target, to: path, over: draft) { return true }
        there.append(path)
      } catch let error as SystemError where error.isMissing && !folder.exists(path) {
        continue
      }
    }
    // No link was possible: the file system has no hard links, or the files have reached the limit of
    // links. Later links can refer to the copy made here.
    try folder.removeIfExists(draft)
    for path in there {
      do throws(SystemError) {
        try folder.copy(path, to: draft)
      } catch {
        guard error.isMissing, !folder.exists(path) else { throw error }
        continue
      }
      try folder.moveIntoFolders(draft, to: target)
      return true
    }
    return false
  }

  /// Returns whether a file has the content of which its row has the digest. The row does not prove it, because the
  /// file may have changed since.
  private func hasContent(of file: StoredFile, at path: String, _ placed: Set<String>) -> Bool {
    guard placed.contains(path) else { return intact.has(file, at: path, in: folder) }
    guard let status = try? folder.status(path) else { return false }
    return status.kind == .file && status.size == file.byteCount
  }

  /// Links a file to a name.
  /// - Returns: false if the name exists, its folder is missing, or the file is.
  private func linkNew(_ target: String, to path: String) throws -> Bool {
    do {
      try link(path, target)
      return true
    } catch let error as SystemError where error.alreadyExists || error.isMissing {
      return false
    }
  }

  /// Links a file to the name `target`, replacing any file of that name.
  /// - Parameter draft: The path of a temporary name.
  /// - Returns: false if links do not work or the file has too many of them.
  private func linkFile(_ target: String, to path: String, over draft: String) throws -> Bool {
    do {
      // Most names are new, and their folders exist.
      if try linkNew(target, to: path) { return true }
      try folder.removeIfExists(draft)
      try link(path, draft)
    } catch let error as SystemError where error.forbidsLinks {
      return false
    }
    try folder.moveIntoFolders(draft, to: target)
    // The draft still exists if both names referred to one file: rename(2) then does nothing (POSIX).
    try folder.removeIfExists(draft)
    return true
  }
}
