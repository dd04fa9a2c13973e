import CSQLite
import Glibc
package import Persistence
import Synchronization
import SystemCalls

/// A temporary folder, private to the user, for a copy of a database. Only one thread may use it at a time.
package final class ScratchFolder: Sendable {
  private let path = Mutex<String?>(nil)

  package init() {}

  deinit { remove() }

  /// Returns the path of the folder; the first call creates it in `$TMPDIR`, with mode 0700.
  func createdPath() throws(SystemError) -> String {
    if let path = path.withLock({ $0 }) { return path }
    let made = try FileSystem.temporaryFolder(prefix: "imgdl-look")
    path.withLock { $0 = made }
    return made
  }

  func remove() {
    if let path = path.withLock({ $0.take() }) { try? FileSystem.removeTree(path) }
  }
}

/// Opens a database that cannot be written, for reading.
extension LibraryFile {
  /// Opens a read-only connection. No other connection of this process to the library may exist.
  ///
  /// On a full disk, the connection opens the database in exclusive locking mode, which keeps the log index
  /// in memory and needs no free block, or reads it beside the program that has it open. In a folder without
  /// write permission, the connection reads the file directly if the log is empty; otherwise database and log
  /// are copied, since only a connection with write access can build a log index. A database with an older
  /// schema is copied too, and the copy is migrated.
  /// - Parameter scratch: The folder for the copy. The caller removes it after closing the connection.
  package func openReadOnly(copyingTo scratch: ScratchFolder) throws(StoreError) -> Connection {
    try rejectSymbolicLinks()
    guard try size() != nil else {
      throw StoreError(.io, "\(path): there is no such database")
    }
    try rejectMissingLog()
    let hasLog = (try status(log)?.size ?? 0) > 0
    if access(folder.path, W_OK) == 0, access(path, W_OK) == 0 {
      if let connection = try connectionWithoutWritingIndex() { return try reading(connection) }
    } else if !hasLog {
      let connection = try Connection(path, .immutable, busyTimeout: busyTimeout)
      if try isCurrent(connection) { return try reading(connection) }
    }
    return try copied(to: scratch)
  }

  /// Returns a connection that neither makes an index of the log nor writes into one; nil if the schema is older.
  private func connectionWithoutWritingIndex() throws(StoreError) -> Connection? {
    do throws(StoreError) {
      return try exclusiveConnection(busyTimeout: 0)
    } catch {
      guard error.code == .busy else { throw error }
    }
    // The program that writes the library has an index, which need not be written for reading.
    if let connection = try? Connection(path, .besideWriter, busyTimeout: busyTimeout),
      let isCurrent = try? isCurrent(connection)
    {
      return isCurrent ? connection : nil
    }
    // Another program held the exclusive lock, or has ended since.
    return try exclusiveConnection(busyTimeout: busyTimeout)
  }

  private func exclusiveConnection(busyTimeout: Int32) throws(StoreError) -> Connection? {
    let connection = try Connection(path, .existing, busyTimeout: busyTimeout)
    // Exclusive mode needs no shared memory:
    // https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return try isCurrent(connection) ? connection : nil
  }

  private func reading(_ connection: Connection) throws(StoreError) -> Connection {
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -4096;")
    return connection
  }

  /// Returns whether the database has the current schema, so that it can be read without a migrated copy.
  private func isCurrent(_ connection: Connection) throws(StoreError) -> Bool {
    let version = try connection.integer("PRAGMA user_version")
    guard version > Schema.unreleased,
      version < Schema.version(afterSteps: Schema.steps.count)
    else {
      // This call throws for a foreign or newer database, and changes nothing in one with the current schema.
      try Schema.bringForward(connection)
      return true
    }
    return false
  }

  private func copied(to scratch: ScratchFolder) throws(StoreError) -> Connection {
    let target =
      try call { () throws(SystemError) in try scratch.createdPath() } + "/library.sqlite"
    try copy(to: target)
    let connection = try Connection(target, .existing, busyTimeout: busyTimeout)
    try Schema.bringForward(connection)
    return try reading(connection)
  }

  /// Copies the database and its log. Another process may write to both through another mount, so the copy is
  /// repeated until neither has changed meanwhile, at most `copyAttempts` times.
  private func copy(to target: String) throws(StoreError) {
    for _ in 0..<Self.copyAttempts {
      let before = [try status(path), try status(log)]
      try call { () throws(SystemError) in
        let folder = ConfinedFolder(FileSystem.parentFolder(of: target))
        for (name, suffix) in [(path, ""), (log, "-wal")] {
          try folder.removeIfExists(target + suffix)
          do throws(SystemError) {
            try folder.copy(try self.folder.open(name), to: target + suffix, mode: 0o600)
          } catch {
            guard error.isMissing else { throw error }
          }
        }
      }
      if [try status(path), try status(log)] == before { return }
    }
    throw StoreError(.busy, "\(path): another process keeps changing it")
  }

  private static let copyAttempts = 5
}
