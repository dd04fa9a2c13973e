import CSQLite
package import Persistence

/// A library in `library.sqlite`: the connection that writes. The reader beside it has another one and
/// neither waits for the other (write-ahead log).
package final class SQLiteStore: Connection, LibraryStore {
  package let reader: any LibraryReader
  let logPath: String
  let busyTimeout: Int32
  let checkpoints: Checkpoints
  package internal(set) var log = Log()
  /// Bytes above which the log is kept from growing. Its usual size is a quarter of that.
  package var largestLog = 64 << 20
  /// How long `catchUp` waits for the readers that are in the log, in milliseconds. A read takes a few;
  /// new readers meanwhile do not enter the log.
  package var logReaderTimeout: Int32 = 500
  var group = Group()
  /// Whether the open transaction has raised `synchronous`.
  private var isFull = false
  /// Why a transaction that waited for the disk failed there.
  private var failedSync: StoreError?

  /// - Parameter busyTimeout: milliseconds to wait for a lock of another process.
  init(_ path: String, busyTimeout: Int32, reader: any LibraryReader) throws(StoreError) {
    self.reader = reader
    self.busyTimeout = busyTimeout
    logPath = path + "-wal"
    checkpoints = Checkpoints(of: path)
    try super.init(path, .existing, busyTimeout: busyTimeout)
  }

  /// Ends behind a checkpoint that is under way.
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
      // Any other error comes again in the transaction that follows.
      if error.code == .busy { throw error }
      return
    }
    try run("ROLLBACK")
  }

  /// Every commit is one append to the write-ahead log. With `synchronous=NORMAL` the log is in the
  /// page cache when the call returns: it survives the end of the process, a power cut may undo the
  /// last commits, in order, and leaves the database intact (the log is synced before a checkpoint
  /// copies from it). With `FULL` the commit ends with an `fdatasync` of the log: this transaction,
  /// and whatever the log held before it, survives a power cut.
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

  /// The level belongs to the connection, is read at the commit and cannot be changed within a
  /// transaction; changing it costs microseconds.
  func beginWriting(durable: Bool) throws(StoreError) {
    // After a failed sync a second one would report success: nobody knows what is on the disk.
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

  /// Undoes the open transaction if `body` throws.
  func undoingOnError<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      rollBack()
      if isFull, error.code == .io { failedSync = error }
      leaveFull()
      // What it wrote into the log is of no use, and undoing something needs the blocks.
      if error.code == .diskFull { emptyLog() }
      throw error
    }
  }

  /// Staying at `FULL` would be slower, never wrong: an error is not reported.
  private func leaveFull() {
    if isFull { try? execute("PRAGMA synchronous = NORMAL") }
    isFull = false
  }
}
