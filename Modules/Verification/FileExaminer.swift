import Hashing
import Models
import Synchronization
import SystemCalls
import Threading

/// The device and inode of a file, which are the same for all its names.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}

/// Compares single files with the store. The functions block and run on the verifier's queue.
struct FileExaminer: Sendable {
  struct Examination: Sendable {
    var problem: FileProblem?
    /// The identity of the file, or nil if it does not exist.
    var identity: FileIdentity?
    var linkCount: UInt64 = 0
  }

  /// Whether the SHA-256 of each file is compared; otherwise only its size is.
  let readsData: Bool
  private let folder: ConfinedFolder
  private let digests = DigestCache()

  /// - Parameter folder: The folder that contains all files to examine.
  init(readsData: Bool, in folder: ConfinedFolder) {
    self.readsData = readsData
    self.folder = folder
  }

  /// Compares a file with the row of its resource.
  /// - Parameter read: Called with the number of bytes after each read.
  /// - Throws: `CancellationError`, and `SystemError` if this process has no descriptors left.
  func examine(
    at path: String, expecting file: StoredFile, _ flag: CancellationFlag,
    read: (Int64) -> Void = { _ in }
  ) throws -> Examination {
    var examination = Examination()
    do throws(SystemError) {
      // The status is checked before the file is opened, because opening a device may have side effects, and
      // a symbolic link leads to another file.
      let status = try folder.status(path)
      examination.identity = FileIdentity(status)
      examination.linkCount = status.linkCount
      examination.problem = Self.problem(status, file)
    } catch {
      examination.problem = try Self.problem(error)
    }
    guard readsData, examination.problem == nil else { return examination }
    do throws(SystemError) {
      if try digest(of: path, flag, read) != file.digest { examination.problem = .wrongContent }
    } catch {
      examination.problem = try Self.problem(error)
    }
    // A cancelled read yields no digest, which must not be reported as wrong content.
    try flag.check()
    return examination
  }

  private static func problem(_ status: FileStatus, _ file: StoredFile) -> FileProblem? {
    guard status.kind == .file else { return .notAFile(status.kind) }
    return status.size == file.byteCount ? nil : .wrongSize(status.size)
  }

  private static func problem(_ error: SystemError) throws(SystemError) -> FileProblem {
    if error.isOutOfDescriptors { throw error }
    return error.isMissing ? .missing : .unreadable(error)
  }

  /// Returns the SHA-256 of a file; nil if the path is no longer a file or the task was cancelled.
  private func digest(
    of path: String, _ flag: CancellationFlag, _ read: (Int64) -> Void
  ) throws(SystemError) -> Digest? {
    let file = try folder.open(path)
    let status = try file.status()
    guard status.kind == .file else { return nil }
    if let digest = digests.digest(of: status) { return digest }
    let hasher = SHA256Hasher()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      if flag.isSet { return nil }
      hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      read(Int64(count))
    }
    let digest = hasher.finalize()
    digests.insert(digest, of: status)
    return digest
  }
}

/// The digests of files with several hard links, so that each of these files is read only once.
private final class DigestCache: Sendable {
  private struct Entry {
    let size: Int64
    let modified: Int64
    let digest: Digest
  }

  private let entries = Mutex<[FileIdentity: Entry]>([:])

  /// The maximum number of entries, of about 100 bytes each. A full cache is emptied.
  private static let limit = 1 << 16

  func digest(of status: FileStatus) -> Digest? {
    guard status.linkCount > 1 else { return nil }
    guard let entry = entries.withLock({ $0[FileIdentity(status)] }),
      entry.size == status.size, entry.modified == status.modified
    else { return nil }
    return entry.digest
  }

  func insert(_ digest: Digest, of status: FileStatus) {
    guard status.linkCount > 1 else { return }
    let entry = Entry(size: status.size, modified: status.modified, digest: digest)
    entries.withLock { entries in
      if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
      entries[FileIdentity(status)] = entry
    }
  }
}
