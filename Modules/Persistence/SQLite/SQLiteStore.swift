import CSQLite
package import Persistence

/// The writing connection to `library.sqlite`. The reader has a connection of its own, and with the
/// write-ahead log neither waits for the other.
package final class SQLiteStore: Connection, LibraryStore {
  package let reader: any LibraryReader
  let logPath: String
  let busyTimeout: Int32
  let checkpoints: Checkpoints
  package internal(set) var log = Log()
  /// The size in bytes above which `catchUp` stops the growth of the log, four times its usual size.
  package var largestLog = 64 << 20
  /// The time that `catchUp` waits for the readers of the log, in milliseconds. A read takes a few
  /// milliseconds, and new readers do not enter the log meanwhile.
  package var logReaderTimeout: Int32 = 500
  var group = Group()
  /// Whether the open transaction has raised `synchronous`.
  private var isFull = false
  /// The error of a durable transaction whose sync failed; nil if there is none.
  private var failedSync: StoreError?

  /// - Parameter busyTimeout: The time to wait for a lock of another process, in milliseconds.
  init(_ path: String, busyTimeout: Int32, reader: any LibraryReader) throws(StoreError) {
    self.reader = reader
    self.busyTimeout = busyTimeout
    logPath = path + "-wal"
    checkpoints = Checkpoints(of: path)
    try super.init(path, .existing, busyTimeout: busyTimeout)
  }

  /// Commits the open group, waits for a checkpoint under way, and closes the connection.
  package override func close() {
    endGroup()
    checkpoints.end()
    super.close()
  }

  package func checkUnlocked() throws(StoreError) {
    guard !isInTransaction else { return }
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    do throws(StoreError) {
      try run("BEGIN IMMEDIATE")
    } catch {
      // The transaction that follows will report any other error.
      if error.code == .busy { throw error }
      return
    }
    try run("ROLLBACK")
  }

  /// Runs `body` in a transaction. Every commit appends to the write-ahead log. With `synchronous=NORMAL` the
  /// log is in the page cache when the call returns: the transaction survives the end of the process. A power
  /// cut may undo the last commits, in order, and leaves the database intact, since SQLite syncs the log
  /// before a checkpoint copies it. With `FULL` the commit ends with an `fdatasync` of the log: this
  /// transaction, and everything in the log before it, survives a power cut.
  package func transaction<Value>(
    durable: Bool, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if isInTransaction, !group.isOpen { return try transaction(.writing, body) }
    endGroup()
    return try undoingOnError { () throws(StoreError) in
      try beginWriting(durable: durable)
      let value = try body()
      try commitWriting()
      return value
    }
  }

  /// Begins a transaction. `synchronous` belongs to the connection, applies at the commit, and cannot change
  /// within a transaction; setting it takes microseconds.
  func beginWriting(durable: Bool) throws(StoreError) {
    // After a failed sync the content of the disk is unknown, and a second sync would report success.
    if let failedSync { throw failedSync }
    try checkpoints.check()
    if durable { try execute("PRAGMA synchronous = FULL") }
    isFull = durable
    try begin(.writing)
  }

  func commitWriting() throws(StoreError) {
    try commit()
    leaveFull()
    if log.isDue() { checkpoints.begin() }
  }

  /// Runs `body`, and rolls the open transaction back if it throws.
  func undoingOnError<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      rollBack()
      if isFull, error.code == .io { failedSync = error }
      leaveFull()
      // Truncates the log: the pages of the failed transaction are useless, and a rollback or removal needs
      // their blocks.
      if error.code == .diskFull { emptyLog() }
      throw error
    }
  }

  /// Resets `synchronous` to `NORMAL`. Ignores an error, since staying at `FULL` would only be slower.
  private func leaveFull() {
    if isFull { try? execute("PRAGMA synchronous = NORMAL") }
    isFull = false
  }
}
