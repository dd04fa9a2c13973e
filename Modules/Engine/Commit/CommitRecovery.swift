import Hashing
import Models
import SystemCalls

/// Finishes what a commit began in a process that is gone: a row is `stored`, its file is under its
/// name, or still partial, or was cut by a power failure. Blocks.
struct CommitRecovery: Sendable {
  let file: StoredFile
  /// Where the row says that the file is.
  let target: String
  /// Where it was while it was fetched.
  let partial: String
  /// A free name on the way.
  let draft: String
  /// Originals of the same content by their rows, all of them on the disk durably or rewritten by
  /// this recovery.
  let twins: [String]
  let folder: ConfinedFolder
  let mustLast: Bool

  /// - Returns: false if the content is nowhere; then the name is free.
  /// - Throws: `SystemError` when our own folders cannot be written.
  func settle() throws -> Bool {
    if try holds(target) {
      if try !linkDuplicate(of: target), mustLast { try rewrite(target) }
      return true
    }
    if try holds(partial) {
      if try !linkDuplicate(of: partial) {
        guard mustLast else {
          try folder.moveIntoFolders(partial, to: target)
          return true
        }
        try rewrite(partial)
      }
      try folder.removeIfThere(partial)
      return true
    }
    try folder.removeIfThere(target)
    return false
  }

  /// A sync may have failed: the kernel takes such pages for clean, and a second sync proves
  /// nothing. What is written again is synced again.
  private func rewrite(_ path: String) throws {
    try folder.removeIfThere(draft)
    try folder.copy(path, to: draft, sharing: false)
    try folder.moveIntoFolders(draft, to: target)
  }

  /// Gives a duplicate the target's name; a content is not kept twice.
  /// - Returns: false if there is none, or where links do not work.
  private func linkDuplicate(of path: String) throws -> Bool {
    guard file.byteCount > 0 else { return false }
    for twin in twins where twin != target {
      // The row says so; the bytes decide.
      guard (try? FileContents.areEqual(path, twin, in: folder)) ?? false else { continue }
      try folder.removeIfThere(draft)
      guard (try? folder.link(twin, to: draft)) != nil else { continue }
      try folder.moveIntoFolders(draft, to: target)
      // Where both names were of one file already, a rename does nothing (POSIX).
      try folder.removeIfThere(draft)
      return true
    }
    return false
  }

  private func holds(_ path: String) throws -> Bool {
    guard let status = try? folder.status(path),
      status.kind == .file, status.size == file.byteCount
    else { return false }
    return try PrefixDigest(of: folder.open(path), atMost: nil).hasher.finalize() == file.digest
  }
}
