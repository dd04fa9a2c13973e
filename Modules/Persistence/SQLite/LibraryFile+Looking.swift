import CSQLite
import Glibc
package import Persistence
import Synchronization
import SystemCalls

/// Where a copy of a database is read, for this user alone. Used by one thread at a time.
package final class ScratchFolder: Sendable {
  private let path = Mutex<String?>(nil)

  package init() {}

  deinit { remove() }

  /// Made at the first use, in `$TMPDIR`, with mode 0700.
  func made() throws(SystemError) -> String {
    if let path = path.withLock({ $0 }) { return path }
    let made = try FileSystem.temporaryFolder(prefix: "imgdl-look")
    path.withLock { $0 = made }
    return made
  }

  func remove() {
    if let path = path.withLock({ $0.take() }) { try? FileSystem.removeTree(path) }
  }
}

/// A database that cannot be written is read all the same.
extension LibraryFile {
  /// A connection that only reads, the only one of this store.
  ///
  /// On a full disk the database is opened for this connection alone: then the index of the log is
  /// in memory, and nothing needs a block. Where the folder cannot be written, the file is read as it
  /// is if its log is empty; else database and log are copied, since only a connection that can
  /// write makes an index of the log. An older schema is brought forward in a copy, too.
  /// - Parameter scratch: for the copy; removed by whoever closes the connection.
  package func look(copyingTo scratch: ScratchFolder) throws(StoreError) -> Connection {
    try refuseLinks()
    guard try size() != nil else {
      throw StoreError(.io, "\(path): there is no such database")
    }
    try refuseLostLog()
    let hasLog = (try status(log)?.size ?? 0) > 0
    if access(folder.path, W_OK) == 0, access(path, W_OK) == 0 {
      let connection = try Connection(path, .existing, busyTimeout: busyTimeout)
      // https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      if try isCurrent(connection) { return try reading(connection) }
    } else if !hasLog {
      let connection = try Connection(path, .immutable, busyTimeout: busyTimeout)
      if try isCurrent(connection) { return try reading(connection) }
    }
    return try copied(to: scratch)
  }

  private func reading(_ connection: Connection) throws(StoreError) -> Connection {
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -4096;")
    return connection
  }

  /// Whether it can be read as it is.
  private func isCurrent(_ connection: Connection) throws(StoreError) -> Bool {
    let version = try connection.integer("PRAGMA user_version")
    guard version > Schema.unreleased,
      version < Schema.version(afterSteps: Schema.steps.count)
    else {
      // Throws for a foreign or a newer database; changes nothing in one with the current schema.
      try Schema.bringForward(connection)
      return true
    }
    return false
  }

  private func copied(to scratch: ScratchFolder) throws(StoreError) -> Connection {
    let target = try call { () throws(SystemError) in try scratch.made() } + "/library.sqlite"
    try copy(to: target)
    let connection = try Connection(target, .existing, busyTimeout: busyTimeout)
    try Schema.bringForward(connection)
    return try reading(connection)
  }

  /// Copies the database and its log. Another process may write them through another mount meanwhile, so
  /// the copy is repeated until neither has changed, `copyAttempts` times at most.
  private func copy(to target: String) throws(StoreError) {
    for _ in 0..<Self.copyAttempts {
      let before = [try status(path), try status(log)]
      try call { () throws(SystemError) in
        let folder = ConfinedFolder(FileSystem.parentFolder(of: target))
        for (name, suffix) in [(path, ""), (log, "-wal")] {
          try folder.removeIfThere(target + suffix)
          do throws(SystemError) {
            try folder.copy(try self.folder.open(name), to: target + suffix, mode: 0o600)
          } catch {
            guard error.isMissing else { throw error }
          }
        }
      }
      if [try status(path), try status(log)] == before { return }
    }
    throw StoreError(.busy, "\(path): another process changes it all the time")
  }

  private static let copyAttempts = 5
}
