import LibraryAPI
import Models
import SystemCalls

/// Blocks of the disk that a library keeps for the day when none is free: to remove something, the
/// store needs room for its log, and the list of what is being removed does, too.
///
/// An engine gives them up when it finds the disk full, and downloads only while they are there.
struct DiskReserve: Sendable {
  /// The index of the store's log is 32 KiB; the rest is for the log of small changes.
  static let size: Int64 = 256 << 10

  private let layout: LibraryLayout
  private var path: String { layout.internals + "/reserve" }

  init(_ layout: LibraryLayout) { self.layout = layout }

  /// Makes it where it is missing. Blocks.
  /// - Throws: `SystemError.isDiskFull`; then there is none.
  func keep() throws(SystemError) {
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

  /// Gives its blocks back to the file system. Blocks.
  /// - Returns: whether there was one.
  @discardableResult
  func release() -> Bool { (try? layout.folder.remove(path)) != nil }

  /// The same where fewer blocks are free than it has. Blocks.
  func releaseIfFull() {
    guard let free = try? layout.folder.root().freeBytes(), free < Self.size else { return }
    release()
  }
}
