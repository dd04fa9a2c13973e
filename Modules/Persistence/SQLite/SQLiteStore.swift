package import Persistence

/// A library in `library.sqlite`: runs transactions and groups of changes, and closes the database. The SQL
/// statements of the changes are in the folder `Tables`. The reader has a connection of its own; with a
/// write-ahead log, neither waits for the other.
package final class SQLiteStore {
  package let reader: any LibraryReader
  package let connection: Connection
  package let log: WriteAheadLog
  var group = Group()
  /// Syncs the log to disk; nil until `enableSync` is called.
  private var logSync: LogSync?

  /// - Parameter busyTimeout: The time to wait for a lock of another process, in milliseconds.
  init(
    _ path: String, busyTimeout: Int32, mayRefuseIndex: Bool, reader: any LibraryReader
  ) throws(StoreError) {
    self.reader = reader
    connection = try Connection(path, .existing, busyTimeout: busyTimeout)
    connection.keepRecentRows()
    log = WriteAheadLog(of: connection, mayRefuseIndex: mayRefuseIndex)
  }

  deinit { close() }

  /// Commits the open group, waits for a running checkpoint, and closes the connection.
  package func close() {
    endGroup()
    log.endCheckpoints()
    logSync?.finish()
    connection.close()
  }

  package func checkUnlocked() throws(StoreError) {
    guard !connection.isInTransaction else { return }
    // The caller's next transaction reports the full disk.
    guard (try? connection.prepareIndex()) != nil else { return }
    do throws(StoreError) {
      try connection.waiting(0) { () throws(StoreError) in try connection.run("BEGIN IMMEDIATE") }
    } catch {
      // The caller's next transaction will report any other error.
      if error.code == .busy { throw error }
      return
    }
    // Nothing was changed, and a rollback would empty `RecentRows`.
    try connection.run("COMMIT")
  }

  nonisolated(nonsending) package func catchUp() async {
    guard let backlog = log.backlog else { return }
    endGroup()
    await log.reduce(backlog)
  }

  /// Resets the store, and returns the disk space to the file system.
  package func removeAll() throws(StoreError) {
    try emptyTables()
    // The reset is complete even if `VACUUM` fails; the database file then stays large, which is not an
    // error.
    try? connection.execute("VACUUM")
    log.empty()
  }

  /// Opens the log for `sync`. The database must be in write-ahead logging mode.
  /// - Parameter call: The system call that waits until the log's content is on disk.
  package func enableSync(
    _ call: @escaping LogSync.Call = LogSync.syncData
  ) throws(StoreError) {
    logSync = try LogSync(of: connection.path, call: call)
  }

  nonisolated(nonsending) package func sync() async throws(StoreError) {
    // If the group cannot be committed, the next call of `addToGroup` or `commitGroup` throws the error.
    endGroup()
    try log.check()
    try await logSync?.run()
    try log.check()
  }

  /// Runs `body` in a transaction. Every commit appends to the write-ahead log, with `synchronous=NORMAL`:
  /// the log is in the page cache when the call returns, so the transaction survives the end of the process.
  /// A power failure may undo the last commits, in order, but leaves the database intact, since SQLite syncs
  /// the log before a checkpoint copies it.
  package func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if connection.isInTransaction, !group.isOpen {
      return try connection.transaction(.writing, body)
    }
    endGroup()
    return try rollingBackOnError { () throws(StoreError) in
      try beginWriting()
      let value = try body()
      try commitWriting()
      return value
    }
  }

  func beginWriting() throws(StoreError) {
    // After a failed sync the content of the disk is unknown, so no further transaction may begin.
    try logSync?.check()
    try log.check()
    try connection.begin(.writing)
  }

  func commitWriting() throws(StoreError) {
    try connection.commit()
    log.transactionEnded()
  }

  /// Runs `body`, and rolls the open transaction back if it throws.
  func rollingBackOnError<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      connection.rollBack()
      // Truncates the log: the pages of the failed transaction are useless, and a later rollback or removal
      // needs their disk blocks.
      if error.code == .diskFull { log.empty() }
      throw error
    }
  }
}

extension SQLiteStore: LibraryStore, SourceChanges, RecordChanges, RecordVerbChanges,
  RemovalChanges,
  ResourceInsertion, ResourceChanges, CacheChanges, StateChanges
{}
