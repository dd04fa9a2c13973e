import CSQLite
import Glibc
import Persistence
import SystemCalls

/// The database file of one library and how it is opened.
package struct LibraryFile: Sendable {
  let path: String
  let folder: ConfinedFolder
  let busyTimeout: Int32

  package init(folder: String, busyTimeout: Int32) {
    self.folder = ConfinedFolder(folder, followingLinks: false)
    self.busyTimeout = busyTimeout
    path = folder + "/library.sqlite"
  }

  /// The connection that writes. Makes the file where there is none.
  func store(with reader: any LibraryReader) throws(StoreError) -> SQLiteStore {
    // The log is made in the folder; SQLite would only say that it cannot open it.
    guard access(folder.path, W_OK) == 0 else { throw systemFailure("cannot be written") }
    try refuseLinks()
    if try size() == nil { try create() }
    // Where there is a library, what a start left of a draft is of no use to anybody.
    removeDraft()
    try refuseLostLog()
    let hasLog = exists(log)
    let restingSize = hasLog ? nil : try size()
    let store = try SQLiteStore(path, busyTimeout: busyTimeout, reader: reader)
    guard !store.isReadOnly else {
      throw StoreError(.readOnly, "\(path): cannot be written: read-only, or no permission")
    }
    if let restingSize { try refuseCutPage(restingSize, store) }
    try Schema.bringForward(store)
    try Self.useLog(store)
    // Foreign keys are for `integrityProblems`. Whoever adds a child has asked for its parent in the
    // same transaction, and whoever removes a parent removes its children, so that SQLite need not
    // look for either once more: for a file a twelfth of what its rows cost, and of the removal of a
    // million a quarter.
    // Pages in memory: 8 MiB. The log is copied into the database every 16 MiB or so (`Checkpoints`),
    // and cut back to 32 MiB after a transaction that needed more.
    try store.execute(
      """
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = OFF;
      PRAGMA secure_delete = OFF;
      PRAGMA cache_size = -8192;
      PRAGMA journal_size_limit = 33554432;
      """)
    store.watchLog()
    if hasLog { try store.takeInOldLog() }
    return store
  }

  /// A connection that only reads, beside the one that writes.
  func reader() throws(StoreError) -> Connection {
    try refuseLinks()
    let connection = try Connection(path, .existing, busyTimeout: busyTimeout)
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -4096;")
    return connection
  }

  var log: String { path + "-wal" }

  private var draft: String { path + ".new" }

  private func removeDraft() {
    for suffix in Self.suffixes { try? folder.remove(draft + suffix) }
  }

  /// The suffixes of a database (first, empty) and of the files that SQLite makes beside it.
  private static let suffixes = ["", "-journal", "-wal", "-shm"]

  /// SQLite follows no symbolic link either (`SQLITE_OPEN_NOFOLLOW`), but does not say which of its
  /// files is one.
  func refuseLinks() throws(StoreError) {
    for suffix in Self.suffixes where try status(path + suffix)?.kind == .link {
      throw StoreError(SystemError.symbolicLink("open", path: path + suffix))
    }
  }

  private func exists(_ name: String) -> Bool { folder.exists(name) }

  /// In bytes; nil where there is no file.
  func size() throws(StoreError) -> Int? {
    guard let status = try status(path) else { return nil }
    guard status.kind == .file else {
      throw StoreError(.damaged, "\(path): damaged: not a regular file")
    }
    return Int(status.size)
  }

  /// nil where there is nothing of that name.
  func status(_ name: String) throws(StoreError) -> FileStatus? {
    do throws(SystemError) {
      return try folder.status(name)
    } catch {
      guard error.isMissing else { throw StoreError(error) }
      return nil
    }
  }

  /// A failure of the file system as one of the store.
  func call<Value>(_ body: () throws(SystemError) -> Value) throws(StoreError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StoreError(error)
    }
  }

  /// Makes a complete, empty library under another name and moves it into place, so that an empty
  /// or half-written file of that name is always damage, never the rest of an interrupted start.
  /// The lock on the folder keeps two starts apart; it ends with its descriptor.
  private func create() throws(StoreError) {
    // Not `root()`: the lock ends with the descriptor that took it.
    let directory = try call { () throws(SystemError) in try folder.openFolder(".") }
    // A file system without such locks fails here, and two starts at once are not expected there.
    _ = flock(directory.raw, LOCK_EX)
    guard try size() == nil else { return }
    removeDraft()
    try call { () throws(SystemError) in
      // SQLite gives its log and the index of the log the mode of the database.
      try folder.open(draft, .writing, create: .mustNotExist, mode: 0o600).close()
    }
    try write(draft)
    try call { () throws(SystemError) in
      try folder.rename(draft, to: path)
      try directory.sync()
    }
  }

  /// The file is whole and on the disk when the only connection to it ends here: the last transaction
  /// syncs all of it. Before that nobody needs the draft, nor a journal of what was in it.
  private func write(_ draft: String) throws(StoreError) {
    let connection = try Connection(draft, .create, busyTimeout: busyTimeout)
    try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    try Schema.create(connection)
    try connection.execute("PRAGMA synchronous = FULL")
    try Self.useLog(connection)
  }

  /// Write-ahead logging; recorded in the file, so that this changes a new file only.
  private static func useLog(_ connection: Connection) throws(StoreError) {
    // To the end: it is written and synced behind the row that says so.
    let mode = try connection.rows("PRAGMA journal_mode = WAL") { row throws(StoreError) in
      row.text()
    }
    guard mode == ["wal"] else {
      throw StoreError(
        .io, "\(connection.path): this file system has no shared memory for a write-ahead log")
    }
  }

  /// SQLite makes the log before the index of the log and removes it after it: an index without a
  /// log means that somebody removed the log, and with it what was written last.
  func refuseLostLog() throws(StoreError) {
    let index = path + "-shm"
    // Twice, because another process may be closing or opening the library between the looks.
    guard !exists(log), try isWhole(index), !exists(log), try isWhole(index) else { return }
    throw StoreError(
      .damaged,
      "\(path): damaged: its log \(log) is gone, and the last changes with it;"
        + " remove \(index) to go on without them")
  }

  /// The index of a log has pieces of 32 KiB. One that never had the first (a full disk) tells nothing.
  private func isWhole(_ index: String) throws(StoreError) -> Bool {
    (try status(index)?.size ?? 0) >= 32 << 10
  }

  /// SQLite finds by itself that whole pages are missing, and reads a half page as if it ended in
  /// zeros. Without a log that could still hold the page, the file ends with a whole one.
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
