import Hashing
import Models
import Synchronization
import SystemCalls

/// Tells whether files of the library still have the content that their rows state. A file may have been edited or
/// damaged without a change of its size, and its content must then not become that of another resource.
///
/// A file is not read again until its metadata changes.
final class IntactFiles: Sendable {
  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private struct Content {
    let size: Int64
    let modified: Int64
    let changed: Int64
    let digest: Digest
  }

  private let contents = Mutex<[Identity: Content]>([:])

  /// The maximum number of files whose content is remembered. A full table is emptied.
  private static let limit = 1 << 12

  /// Returns whether a path leads to a regular file with the content of `file`; false if the file cannot be read.
  /// Blocks.
  func has(_ file: StoredFile, at path: String, in folder: ConfinedFolder) -> Bool {
    guard let status = try? folder.status(path), status.kind == .file,
      status.size == file.byteCount
    else { return false }
    if let digest = digest(of: status) { return digest == file.digest }
    guard let opened = try? folder.open(path), let before = try? opened.status(),
      before.kind == .file,
      let digest = try? PrefixDigest(of: opened, atMost: nil).hasher.finalize()
    else { return false }
    // A file that is being written is read again.
    if let after = try? opened.status(), after == before { insert(digest, of: before) }
    return digest == file.digest
  }

  private func digest(of status: FileStatus) -> Digest? {
    let identity = Identity(device: status.device, inode: status.inode)
    guard let content = contents.withLock({ $0[identity] }), content.size == status.size,
      content.modified == status.modified, content.changed == status.changed
    else { return nil }
    return content.digest
  }

  private func insert(_ digest: Digest, of status: FileStatus) {
    let content = Content(
      size: status.size, modified: status.modified, changed: status.changed, digest: digest)
    contents.withLock { contents in
      if contents.count >= Self.limit { contents.removeAll(keepingCapacity: true) }
      contents[Identity(device: status.device, inode: status.inode)] = content
    }
  }
}
