package import Persistence
import SystemCalls

/// The index of the write-ahead log (`-shm`) is a mapped file. A copy-on-write file system needs free space for each
/// page of it again after it has written the page, and some network file systems may refuse a page too; a store into
/// such a page ends the program with SIGBUS.
extension LibraryFile {
  /// The file systems on which an allocated page of a file can always be written: ext2 to ext4, tmpfs and XFS, by
  /// their numbers in statfs(2).
  private static let safeTypes: Set<Int64> = [0xef53, 0x0102_1994, 0x5846_5342]

  /// Whether stores into the index may be refused.
  var mayRefuseIndex: Bool {
    FileSystem.type(of: folder.path).map { !Self.safeTypes.contains($0) } ?? true
  }

  /// Throws `.diskFull` if there is no room for an index, before SQLite writes one.
  func checkIndexRoom() throws(StoreError) {
    try call { () throws(SystemError) in
      let file = try FileSystem.unnamedFile(in: folder.path)
      try file.write(all: [UInt8](repeating: 1, count: Self.indexRoom).span.bytes, at: 0)
    }
  }

  /// The size in bytes of the smallest index, twice.
  private static let indexRoom = 64 << 10
}

extension Connection {
  /// Makes each later transaction of this connection prepare the index, and prepares it.
  package func guardIndex() throws(StoreError) {
    // The index must be open: SQLite closes it only if a read or a checkpoint has opened it.
    try execute("PRAGMA schema_version")
    mayRefuseIndex = true
    try prepareIndex()
  }

  /// Makes the pages of the index writable, so that no store into them can fail soon after.
  func prepareIndex() throws(StoreError) {
    guard mayRefuseIndex, isIndexRefused else { return }
    throw StoreError(.diskFull, "\(path): the disk is full, or a quota is reached")
  }
}
