import CSQLite
import Glibc
import Persistence
import SystemCalls

/// The database file of one library, and the ways to open it.
package struct LibraryFile: Sendable {
  let path: String
  let folder: ConfinedFolder
  let busyTimeout: Int32

  package init(folder: String, busyTimeout: Int32) {
    self.folder = ConfinedFolder(folder, followingLinks: false)
    self.busyTimeout = busyTimeout
    path = folder + "/library.sqlite"
  }

  /// Opens the store, whose connection writes, and creates the database if it is missing.
  func store(with reader: any LibraryReader) throws(StoreError) -> SQLiteStore {
    // SQLite would fail when it creates the log in the folder, with an error that does not name the cause.
    guard access(folder.path, W_OK) == 0 else { throw systemFailure("cannot be written") }
    try rejectSymbolicLinks()
    if try size() == nil { try create() }
    // The database exists, so a draft that an interrupted creation left is no longer needed.
    removeDraft()
    try rejectMissingLog()
    let hasLog = exists(log)
    let restingSize = hasLog ? nil : try size()
    let mayRefuseIndex = mayRefuseIndex
    if mayRefuseIndex { try checkIndexRoom() }
    let store = try SQLiteStore(
      path, busyTimeout: busyTimeout, mayRefuseIndex: mayRefuseIndex, reader: reader)
    guard !store.connection.isReadOnly else {
      throw StoreError(.readOnly, "\(path): cannot be written: read-only, or no permission")
    }
    if let restingSize { try refuseCutPage(restingSize, store.connection) }
    if mayRefuseIndex { try store.connection.guardIndex() }
    try Schema.bringForward(store.connection)
    try Self.useLog(store.connection)
    // Foreign keys serve `integrityProblems` only. Code that inserts a child row has read its parent in the
    // same transaction, and code that removes a parent row also removes its children. SQLite's own checks
    // would only repeat this: they cost a twelfth of the time to insert a file's rows, and a quarter of the
    // time to remove a million rows.
    try store.connection.execute(
      """
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = OFF;
      PRAGMA secure_delete = OFF;
      PRAGMA cache_size = -8192;
      PRAGMA journal_size_limit = 33554432;
      """)
    store.log.installHook()
    try store.enableSync()
    if hasLog { try store.log.checkpointOldLog() }
    return store
  }

  /// Opens a read-only connection that can be used concurrently with the store's connection.
  func reader() throws(StoreError) -> Connection {
    try rejectSymbolicLinks()
    let connection = try Connection(path, .existing, busyTimeout: busyTimeout)
    // The second pragma reads the schema, and so makes the connection open the index.
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -4096;")
    connection.mayRefuseIndex = mayRefuseIndex
    return connection
  }

  var log: String { path + "-wal" }

  private var draft: String { path + ".new" }

  /// Deletes the database and its side files. The file goes last, so that an interrupted call leaves no log without
  /// its file, whose transactions a new database would get.
  func remove() throws(StoreError) {
    for suffix in Self.suffixes.reversed() {
      try call { () throws(SystemError) in try folder.removeIfExists(path + suffix) }
    }
    removeDraft()
  }

  private func removeDraft() {
    for suffix in Self.suffixes { try? folder.remove(draft + suffix) }
  }

  /// The suffixes of the database file (empty) and of the side files that SQLite creates next to it.
  private static let suffixes = ["", "-journal", "-wal", "-shm"]

  /// Throws if the database or one of its side files is a symbolic link. SQLite refuses symbolic links, too
  /// (`SQLITE_OPEN_NOFOLLOW`), but does not report which file is one.
  func rejectSymbolicLinks() throws(StoreError) {
    for suffix in Self.suffixes where try status(path + suffix)?.kind == .link {
      throw StoreError(SystemError.symbolicLink("open", path: path + suffix))
    }
  }

  private func exists(_ name: String) -> Bool { folder.exists(name) }

  /// Returns the size of the database file in bytes, or nil if the file does not exist.
  func size() throws(StoreError) -> Int? {
    guard let status = try status(path) else { return nil }
    guard status.kind == .file else {
      throw StoreError(.damaged, "\(path): damaged: not a regular file")
    }
    return Int(status.size)
  }

  /// Returns the status of a file, or nil if the file does not exist.
  func status(_ name: String) throws(StoreError) -> FileStatus? {
    do throws(SystemError) {
      return try folder.status(name)
    } catch {
      guard error.isMissing else { throw StoreError(error) }
      return nil
    }
  }

  /// Runs `body`, and converts its file system error into a store error.
  func call<Value>(_ body: () throws(SystemError) -> Value) throws(StoreError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StoreError(error)
    }
  }

  /// Creates a complete, empty library under another name and renames it into place, so that an empty or
  /// half-written file at `path` is always damaged, never the result of an interrupted start. A lock on the
  /// folder serialises concurrent starts; closing its descriptor releases the lock.
  private func create() throws(StoreError) {
    // The lock needs a descriptor of its own, which `root()` does not return, so that closing it ends the
    // lock.
    let directory = try call { () throws(SystemError) in try folder.openFolder(".") }
    // `flock` fails on a file system that does not support locks; concurrent starts are not expected there.
    _ = flock(directory.raw, LOCK_EX)
    guard try size() == nil else { return }
    removeDraft()
    try call { () throws(SystemError) in
      // The log and the log index get the mode of the database file from SQLite.
      try folder.open(draft, .writing, create: .mustNotExist, mode: 0o600).close()
    }
    try write(draft)
    try call { () throws(SystemError) in
      try folder.rename(draft, to: path)
      try directory.sync()
    }
  }

  /// Writes a new database. The last transaction syncs the whole file, so the file is complete and on disk
  /// when its only connection closes here. A crash before that loses only the draft, so no journal is needed.
  private func write(_ draft: String) throws(StoreError) {
    let connection = try Connection(draft, .create, busyTimeout: busyTimeout)
    try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    try Schema.create(connection)
    try connection.execute("PRAGMA synchronous = FULL")
    try Self.useLog(connection)
  }

  /// Turns on write-ahead logging. The file stores this mode, so the call changes only a new file.
  private static func useLog(_ connection: Connection) throws(StoreError) {
    // Reads all rows, because SQLite writes and syncs the mode only after the row that reports it.
    let mode = try connection.rows("PRAGMA journal_mode = WAL") { row throws(StoreError) in
      row.text()
    }
    guard mode == ["wal"] else {
      throw StoreError(
        .io, "\(connection.path): this file system has no shared memory for a write-ahead log")
    }
  }

  /// Throws if the log was deleted, since the last transactions are then lost. SQLite creates the log before
  /// the log index and removes it after the index, so an index without a log proves that the log was deleted.
  func rejectMissingLog() throws(StoreError) {
    let index = path + "-shm"
    // The check runs twice, because another process may be opening or closing the library between two
    // lookups.
    guard !exists(log), try isWhole(index), !exists(log), try isWhole(index) else { return }
    throw StoreError(
      .damaged,
      "\(path): damaged: its log \(log) is missing, and the last changes are lost;"
        + " remove \(index) to continue without them")
  }

  /// Returns whether the log index has its first block of 32 KiB. A smaller index (after a full disk) proves
  /// nothing.
  private func isWhole(_ index: String) throws(StoreError) -> Bool {
    (try status(index)?.size ?? 0) >= 32 << 10
  }

  /// Throws if the file ends in the middle of a page. SQLite detects missing whole pages itself, but reads a
  /// partial page as if zeros followed. An intact file ends at a page boundary, unless a log still contains
  /// the page.
  private func refuseCutPage(_ size: Int, _ connection: Connection) throws(StoreError) {
    let page = Int(try connection.integer("PRAGMA page_size"))
    guard page > 0, size % page != 0 else { return }
    throw StoreError(.damaged, "\(path): damaged: the file ends within a page")
  }

  private func systemFailure(_ what: String) -> StoreError {
    let cause = errno
    return StoreError(
      StoreError.Code(result: SQLITE_IOERR, systemError: cause),
      "\(path): \(what): \(String(cString: strerror(cause)))")
  }
}
