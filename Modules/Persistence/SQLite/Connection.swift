import CSQLite
import Glibc
import Models
package import Persistence

/// One connection to a database with its prepared statements. Used by one thread at a time, which
/// is why it is not `Sendable`.
package final class Connection {
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

  package let path: String
  let logPath: String
  let handle: OpaquePointer
  let busyTimeout: Int32
  /// Bytes above which the log is kept from growing. Its usual size is a quarter of that.
  package var largestLog = 64 << 20
  /// How long a write that finds the log too large waits for the readers that are in it, in
  /// milliseconds. A read takes a few; new readers meanwhile do not enter the log.
  package var logPatience: Int32 = 500
  /// As long as a reader stays in the log: the size at which it is tried again.
  package internal(set) var patientUpTo = 0
  private var statements: [String: Statement] = [:]

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
    self.busyTimeout = busyTimeout
    logPath = path + "-wal"
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

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether the file could only be opened for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Rows that the last statement inserted, changed or removed.
  var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// Runs text that may hold several statements and gives no rows.
  package func execute(_ sql: String) throws(StoreError) {
    errno = 0
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// The statement for that text, ready to bind. Each text is compiled once.
  func prepared(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] { return known }
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

  /// Runs `body` between `BEGIN` and `COMMIT`; an error undoes everything.
  func transaction<Value>(
    _ access: Access, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try run(access.rawValue)
    do throws(StoreError) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // After some failures (disk full) SQLite has rolled back by itself.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      // What it wrote into the log is of no use, and whoever undoes something needs the blocks.
      if access == .writing, error.code == .diskFull { emptyLog() }
      throw error
    }
  }

  /// The error of the call that failed last.
  ///
  /// SQLite forgets why some calls failed, `COMMIT` among them. Then it is what the system said last
  /// on this thread, if `errno` was 0 before the call; that a file is missing is never the reason.
  func failure() -> StoreError {
    let last = errno == ENOENT ? 0 : errno
    let result = sqlite3_extended_errcode(handle)
    let known = sqlite3_system_errno(handle)
    return StoreError(
      path: path, result: result, systemError: known == 0 ? last : known,
      message: String(cString: sqlite3_errmsg(handle)))
  }
}
