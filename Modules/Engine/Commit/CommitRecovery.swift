import Hashing
import Models
import SystemCalls

/// Completes a commit of an earlier process whose row is `stored`. The file is in place, still partial, or
/// was truncated by a power cut. Blocks.
struct CommitRecovery: Sendable {
  let file: StoredFile
  /// The path of the file according to the row.
  let target: String
  /// The path of the partial file.
  let partial: String
  /// The path at which a copy or link is made before it is renamed to `target`.
  let draft: String
  /// The paths of originals whose rows have the same digest as `file`. All of these originals are durable
  /// or rewritten by recovery.
  let duplicates: [String]
  let folder: ConfinedFolder
  let mustBeDurable: Bool

  enum Outcome: Sendable {
    case inPlace
    /// The content exists nowhere, and no file of the library has the target's name.
    case missing
    /// The file system refuses the target's name.
    case refused(SystemError)
    /// The disk is full, or the folder of partial files is on another file system, so that the file stays where it
    /// is.
    case postponed(SystemError)
  }

  /// Puts the file in place, as a durable one if `mustBeDurable`.
  /// - Parameter recordFolder: The path of the record's folder.
  /// - Throws: `SystemError` if the library's folders cannot be written, except for the causes of `postponed`.
  func recover(in recordFolder: String, _ probe: LibraryProbe) throws -> Outcome {
    do {
      return try recover() ? .inPlace : .missing
    } catch let error as SystemError {
      try? folder.removeIfExists(draft)
      if error.isDiskFull { return .postponed(error) }
      if probe.concernsName(error, in: recordFolder) { return .refused(error) }
      // The verbs work on such a library, which only new files cannot be put into.
      if error.crossesFileSystems { return .postponed(probe.describing(error)) }
      throw error
    }
  }

  private func recover() throws -> Bool {
    if try hasContent(target) {
      if try !linkDuplicate(of: target), mustBeDurable { try rewrite(target) }
      return true
    }
    if try hasContent(partial) {
      if try !linkDuplicate(of: partial) {
        guard mustBeDurable else {
          try folder.moveIntoFolders(partial, to: target)
          return true
        }
        try rewrite(partial)
      }
      try folder.removeIfExists(partial)
      return true
    }
    try folder.removeUnlessRefused(target)
    return false
  }

  /// Writes the file again under the target's name, because an earlier sync may have failed: the kernel
  /// then marks the unwritten pages as clean, and a second sync would report success.
  private func rewrite(_ path: String) throws {
    try folder.removeIfExists(draft)
    try folder.copy(path, to: draft, sharing: false)
    try folder.moveIntoFolders(draft, to: target)
  }

  /// Links a duplicate to the target's name, so that no content is stored twice.
  /// - Returns: false if there is no duplicate, or if links do not work.
  private func linkDuplicate(of path: String) throws -> Bool {
    guard file.byteCount > 0 else { return false }
    for duplicate in duplicates where duplicate != target {
      // Equal digests in rows do not prove that the files are equal, so the bytes are compared.
      guard (try? FileContents.areEqual(path, duplicate, in: folder)) ?? false else { continue }
      try folder.removeIfExists(draft)
      guard (try? folder.link(duplicate, to: draft)) != nil else { continue }
      try folder.moveIntoFolders(draft, to: target)
      // The draft still exists if both names referred to one file: rename(2) then does nothing (POSIX).
      try folder.removeIfExists(draft)
      return true
    }
    return false
  }

  private func hasContent(_ path: String) throws -> Bool {
    guard let status = try? folder.status(path),
      status.kind == .file, status.size == file.byteCount
    else { return false }
    do {
      return try PrefixDigest(of: folder.open(path), atMost: nil).hasher.finalize() == file.digest
    } catch let error as SystemError where error.isInputOutputError {
      // A file that cannot be read is downloaded again, as if it were missing.
      return false
    }
  }
}
