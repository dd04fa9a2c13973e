import CSQLite
import Glibc
import Models
package import Persistence

/// One connection to a database with its prepared statements, and the queries of a library. Used by one
/// thread at a time, which is why it is not `Sendable`.
///
/// Queries of several statements see one snapshot; what changes rows is the store's (`SQLiteStore`).
package class Connection {
  package enum Mode {
    case existing, create
    /// Nobody changes the file: it is read without locks, log or index of the log.
    case immutable
  }

  package enum Access: String {
    case reading = "BEGIN"
    case writing = "BEGIN IMMEDIATE"
  }

  /// Done once, before anything else of SQLite: its statistics of memory, which nobody reads, cost
  /// a lock at each allocation and with it a twentieth of each write.
  private static let withoutStatistics: Void = { _ = imgdl_keep_no_statistics() }()

  package final let path: String
  /// nil once it is closed.
  private(set) final var handle: OpaquePointer?
  private final var statements: [String: Statement] = [:]
  private(set) final var isInTransaction = false
  /// Why the transaction that is open can only be undone.
  private final var failureInside: StoreError?

  /// - Parameter busyTimeout: milliseconds to wait for a lock of another process.
  package init(_ path: String, _ mode: Mode, busyTimeout: Int32) throws(StoreError) {
    _ = Self.withoutStatistics
    var flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    var name = path
    switch mode {
    case .existing: break
    case .create: flags |= SQLITE_OPEN_CREATE
    case .immutable:
      flags = flags & ~SQLITE_OPEN_READWRITE | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = Self.immutableURI(path)
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(name, &opened, flags, nil)
    guard let handle = opened else {
      throw StoreError(.internal, "\(path): out of memory")
    }
    self.path = path
    self.handle = handle
    // From here on `deinit` closes the handle, also after a throw.
    if result != SQLITE_OK { throw failure() }
    sqlite3_busy_timeout(handle, busyTimeout)
  }

  /// https://www.sqlite.org/uri.html
  private static func immutableURI(_ path: String) -> String {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return "file:" + names.map { PercentEncoding.encodeSegment(String($0)) }.joined(separator: "/")
      + "?immutable=1"
  }

  deinit { close() }

  /// Later calls throw `.closed`. The last connection of the database moves the log into it and removes
  /// the log.
  package func close() {
    statements.removeAll()
    if let handle { sqlite3_close_v2(handle) }
    handle = nil
  }

  private final func opened() throws(StoreError) -> OpaquePointer {
    guard let handle else { throw StoreError(.closed, "the library is closed") }
    return handle
  }

  /// Whether the file could only be opened for reading.
  final var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Rows that the last statement inserted, changed or removed.
  final var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// Runs text that may hold several statements and gives no rows.
  package final func execute(_ sql: String) throws(StoreError) {
    let handle = try opened()
    errno = 0
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// The statement for that text, ready to bind. Each text is compiled once.
  final func prepared(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] { return known }
    let handle = try opened()
    var compiled: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard result == SQLITE_OK, let compiled else {
      // The texts are ours and tested: one that names no table or column met another schema.
      let error = failure()
      guard result & 0xff == SQLITE_ERROR else { throw error }
      throw StoreError(.damaged, "\(path): damaged: \(String(cString: sqlite3_errmsg(handle)))")
    }
    let statement = Statement(compiled, of: self)
    statements[sql] = statement
    return statement
  }

  /// Runs `body` between `BEGIN` and `COMMIT`; an error undoes everything. A transaction inside another
  /// one is part of it.
  package final func transaction<Value>(
    _ access: Access, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if isInTransaction { return try join(body) }
    try begin(access)
    do throws(StoreError) {
      let value = try body()
      try commit()
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  final func begin(_ access: Access) throws(StoreError) {
    try run(access.rawValue)
    isInTransaction = true
  }

  /// An error leaves the transaction open: `rollBack` ends it.
  final func commit() throws(StoreError) {
    try checkWhole()
    try run("COMMIT")
    isInTransaction = false
  }

  /// Throws why the open transaction can only be undone.
  final func checkWhole() throws(StoreError) {
    if let failureInside { throw failureInside }
  }

  final func rollBack() {
    // After some failures (disk full) SQLite has rolled back by itself.
    if isInside { try? run("ROLLBACK") }
    isInTransaction = false
    failureInside = nil
  }

  /// A part that failed cannot be undone alone: if it has changed anything, the transaction takes nothing
  /// more and is undone at its end, wherever the error is caught.
  private final func join<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try checkWhole()
    let changes = allChangesCount
    do throws(StoreError) {
      return try body()
    } catch {
      if allChangesCount != changes || !isInside { failureInside = failureInside ?? error }
      throw error
    }
  }

  /// Whether SQLite is in a transaction.
  private final var isInside: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Rows that were inserted, changed or removed since the connection was opened.
  private final var allChangesCount: Int64 { handle.map { sqlite3_total_changes64($0) } ?? 0 }

  /// The error of the call that failed last.
  ///
  /// SQLite forgets why some calls failed, `COMMIT` among them. Then it is what the system said last
  /// on this thread, if `errno` was 0 before the call; that a file is missing is never the reason.
  final func failure() -> StoreError {
    let last = errno == ENOENT ? 0 : errno
    let result = sqlite3_extended_errcode(handle)
    let known = sqlite3_system_errno(handle)
    return StoreError(
      path: path, result: result, systemError: known == 0 ? last : known,
      message: String(cString: sqlite3_errmsg(handle)))
  }
}
