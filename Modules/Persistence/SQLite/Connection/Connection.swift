import CSQLite
import Glibc
import Models
package import Persistence

/// One connection to a database: prepares and runs statements, and manages transactions. The SQL statements
/// themselves are in the folder `Tables`. Only one thread may use a connection at a time, so it is not
/// `Sendable`.
package final class Connection {
  package enum Mode {
    case existing, create
    /// Reads the file beside the program that writes it, and never writes into the index of the log.
    case besideWriter
    /// Reads the file without locks, log or log index. No process may change the file meanwhile.
    case immutable
  }

  package enum Access: String {
    case reading = "BEGIN"
    case writing = "BEGIN IMMEDIATE"
  }

  /// Disables SQLite's memory statistics, once and before any other call of SQLite. This program does not
  /// read them, and their lock at each allocation costs a twentieth of the time of a write.
  private static let withoutStatistics: Void = { _ = imgdl_keep_no_statistics() }()

  package let path: String
  /// The time to wait for a lock of another process, in milliseconds.
  private let busyTimeout: Int32
  /// The SQLite handle; nil after `close`.
  private(set) var handle: OpaquePointer?
  private var statements: [String: Statement] = [:]
  private(set) var isInTransaction = false
  /// Whether the file system may refuse stores into the index of the log; never for a connection in exclusive locking
  /// mode or to an immutable file, which has no index.
  var mayRefuseIndex = false
  /// The error that forces the open transaction to roll back at its end; nil if there is none.
  private var failureInside: StoreError?
  /// The rows of resources that this connection knows; nil unless it writes the library.
  private(set) var recentRows: RecentRows?

  /// The maximum length in bytes of the path of a database. SQLite has room for 512, and adds `-journal`
  /// (`MAX_PATHNAME` in os_unix.c).
  package static let maximumPathLength = 504

  /// - Parameter busyTimeout: The time to wait for a lock of another process, in milliseconds.
  package init(_ path: String, _ mode: Mode, busyTimeout: Int32) throws(StoreError) {
    _ = Self.withoutStatistics
    guard path.utf8.count <= Self.maximumPathLength else {
      throw StoreError(
        .io,
        "\(path): the path of the file has \(path.utf8.count) bytes, and SQLite opens paths of at most "
          + "\(Self.maximumPathLength); a library whose own path is shorter by some bytes can be opened"
      )
    }
    var flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    var name = path
    switch mode {
    case .existing: break
    case .create: flags |= SQLITE_OPEN_CREATE
    case .immutable, .besideWriter:
      flags = flags & ~SQLITE_OPEN_READWRITE | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = Self.uri(path) + (mode == .immutable ? "?immutable=1" : "?readonly_shm=1")
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(name, &opened, flags, nil)
    guard let handle = opened else {
      throw StoreError(.internal, "\(path): out of memory")
    }
    self.path = path
    self.busyTimeout = busyTimeout
    self.handle = handle
    // From here on, `deinit` closes the handle, even if the initialiser throws.
    if result != SQLITE_OK { throw failure() }
    sqlite3_busy_timeout(handle, busyTimeout)
  }

  /// Returns the URI of the file, to which parameters are added (https://www.sqlite.org/uri.html).
  private static func uri(_ path: String) -> String {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return "file:" + names.map { PercentEncoding.encodeSegment(String($0)) }.joined(separator: "/")
  }

  deinit { close() }

  /// Closes the connection; later calls throw `.closed`. When the last connection to a database closes,
  /// SQLite copies the log into the database and removes the log.
  package func close() {
    statements.removeAll()
    if let handle { sqlite3_close_v2(handle) }
    handle = nil
  }

  /// Keeps the rows of resources that this connection reads or writes from now on. No other connection may write.
  func keepRecentRows() {
    guard let handle else { return }
    let rows = RecentRows()
    rows.observe(handle)
    recentRows = rows
  }

  private func opened() throws(StoreError) -> OpaquePointer {
    guard let handle else { throw StoreError(.closed, "the library is closed") }
    return handle
  }

  /// Whether SQLite could open the file only for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the file system refuses a store into the index of the log.
  var isIndexRefused: Bool { handle.map { imgdl_populate_index($0) != 0 } ?? false }

  /// The number of rows that the last statement inserted, changed or removed.
  var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// Runs `body` with another time to wait for locks, in milliseconds.
  func waiting<Value, Failure>(
    _ milliseconds: Int32, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    sqlite3_busy_timeout(handle, milliseconds)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    return try body()
  }

  /// Runs SQL text that may contain several statements, and discards their rows.
  package func execute(_ sql: String) throws(StoreError) {
    let handle = try opened()
    errno = 0
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Returns the compiled statement for an SQL text, ready to bind. Each text is compiled only once.
  func prepared(_ sql: String) throws(StoreError) -> Statement {
    // A statement outside of a transaction begins one of its own.
    if mayRefuseIndex, !isInTransaction { try prepareIndex() }
    if let known = statements[sql] { return known }
    let handle = try opened()
    var compiled: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard result == SQLITE_OK, let compiled else {
      // All statements are constants of this program and tested, so if one refers to a missing table or
      // column, the schema of the file is damaged.
      let error = failure()
      guard result & 0xff == SQLITE_ERROR else { throw error }
      throw StoreError(.damaged, "\(path): damaged: \(String(cString: sqlite3_errmsg(handle)))")
    }
    let statement = Statement(compiled, of: self)
    statements[sql] = statement
    return statement
  }

  /// Runs `body` between `BEGIN` and `COMMIT`; an error rolls all its changes back. A nested transaction is
  /// part of the outermost one.
  package func transaction<Value>(
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

  func begin(_ access: Access) throws(StoreError) {
    try prepareIndex()
    try run(access.rawValue)
    isInTransaction = true
  }

  /// Commits the open transaction. After an error, the transaction is still open; `rollBack` ends it.
  func commit() throws(StoreError) {
    try checkWhole()
    // The pages of the index may have been written to the disk since the transaction began.
    try prepareIndex()
    try run("COMMIT")
    isInTransaction = false
  }

  /// Throws the error that forces the open transaction to roll back, if there is one.
  func checkWhole() throws(StoreError) {
    if let failureInside { throw failureInside }
  }

  func rollBack() {
    // After some failures, such as a full disk, SQLite has rolled back already.
    if isInside { try? run("ROLLBACK") }
    isInTransaction = false
    failureInside = nil
  }

  /// Runs a nested transaction as part of the open one. A failed nested transaction cannot be rolled back
  /// alone: if it has changed any row, the open transaction accepts no further change and is rolled back at
  /// its end, even if the caller of the nested one catches the error.
  private func join<Value>(
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

  /// Whether SQLite itself has an open transaction.
  private var isInside: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// The number of rows inserted, changed or removed since the connection was opened.
  private var allChangesCount: Int64 { handle.map { sqlite3_total_changes64($0) } ?? 0 }

  /// Returns the error of the last failed call.
  ///
  /// For some failed calls, such as `COMMIT`, SQLite keeps no system error. The cause is then in this
  /// thread's `errno`, which the caller set to 0 before the call. `ENOENT` is ignored, since it is never the
  /// cause.
  func failure() -> StoreError {
    let last = errno == ENOENT ? 0 : errno
    let result = sqlite3_extended_errcode(handle)
    let known = sqlite3_system_errno(handle)
    return StoreError(
      path: path, result: result, systemError: known == 0 ? last : known,
      message: String(cString: sqlite3_errmsg(handle)))
  }
}
