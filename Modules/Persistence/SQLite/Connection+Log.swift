import CSQLite
import Glibc
import Persistence

/// The write-ahead log begins anew once all of it is in the database and no reader is left in it.
/// Under readers that follow each other without a gap that moment never comes by itself: the log
/// would grow as long as they read.
extension Connection {
  /// After a transaction: begins the log anew if it is too large. Readers do not notice.
  ///
  /// A reader that stays longer (a check of the whole library, another program) is not waited for
  /// again until the log has doubled, so that it holds up few writes.
  func boundLog() {
    var status = stat()
    guard stat(logPath, &status) == 0, status.st_size > max(largestLog, patientUpTo) else { return }
    sqlite3_busy_timeout(handle, logPatience)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
    // What else may fail here fails the next write as well, which says so.
    patientUpTo = result == SQLITE_OK ? 0 : 2 * Int(status.st_size)
  }
}
