import LibraryAPI
import Models
import SystemCalls

/// Disk blocks that a library reserves for the case of a full disk: removing records needs room for the log
/// of the store and for the list of the files being deleted.
///
/// An engine releases the reserve when it finds the disk full, and downloads only while the reserve exists.
struct DiskReserve: Sendable {
  /// The size in bytes: 32 KiB for the index of the store's log, the rest for the log of small changes.
  static let size: Int64 = 256 << 10

  private let layout: LibraryLayout
  private var path: String { layout.internals + "/reserve" }

  init(_ layout: LibraryLayout) { self.layout = layout }

  /// Creates the reserve if it is missing. Blocks.
  /// - Throws: `SystemError.isDiskFull` if the disk has no room; the reserve does not exist then.
  func restore() throws(SystemError) {
    if let status = try? layout.folder.status(path), status.kind == .file, status.size == Self.size
    {
      return
    }
    try layout.folder.removeTree(path)
    do throws(SystemError) {
      try layout.folder.open(path, .writing, create: .mustNotExist, mode: LibraryLayout.privateFile)
        .allocate(Self.size)
    } catch {
      try? layout.folder.remove(path)
      throw error
    }
  }

  /// Releases the blocks of the reserve to the file system. Blocks.
  /// - Returns: Whether there was a reserve.
  @discardableResult
  func deleteFile() -> Bool { (try? layout.folder.remove(path)) != nil }

  /// Releases the reserve if the disk has fewer free bytes than the size of the reserve. Blocks.
  func releaseIfFull() {
    guard let free = try? layout.folder.root().freeBytes(), free < Self.size else { return }
    deleteFile()
  }
}
