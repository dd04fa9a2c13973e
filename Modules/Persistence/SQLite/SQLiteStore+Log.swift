import CSQLite
import Glibc
import Persistence

/// The write-ahead log begins anew once all of it is in the database and no reader is left in it.
/// Under readers that follow each other without a gap that moment never comes by itself: the log
/// would grow as long as they read.
extension SQLiteStore {
  /// After a transaction: begins the log anew if it is too large. Readers do not notice.
  ///
  /// On a disk that is nearly full it is too large as soon as the disk might soon have no room for what
  /// the database grows by when it takes the log in: then neither could become smaller again.
  ///
  /// A reader that stays longer (a check of the whole library, another program) is not waited for
  /// again until the log has doubled, so that it holds up few writes.
  func boundLog() {
    var status = stat()
    guard stat(logPath, &status) == 0, status.st_size > patientUpTo else { return }
    let size = Int(status.st_size)
    if size > largestLog {
      // What else may fail here fails the next write as well, which says so.
      patientUpTo = takeIn(SQLITE_CHECKPOINT_RESTART) == SQLITE_OK ? 0 : 2 * size
    } else if size > Self.smallLog, let free = freeBytes, free < size + Self.roomToKeep {
      patientUpTo = takeIn(SQLITE_CHECKPOINT_TRUNCATE) & 0xff == SQLITE_BUSY ? 2 * size : 0
    }
  }

  /// Takes the log into the database and gives its blocks back to the disk, as far as there is room
  /// for it: also those of a transaction that came to nothing.
  func emptyLog() { _ = takeIn(SQLITE_CHECKPOINT_TRUNCATE) }

  private func takeIn(_ mode: Int32) -> Int32 {
    sqlite3_busy_timeout(handle, logPatience)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    return sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
  }

  /// A log that the reserve of the library has room for.
  private static let smallLog = 128 << 10
  /// More than a usual transaction adds to the log.
  private static let roomToKeep = 4 << 20

  /// Bytes that can still be written on the disk; nil if it does not say so.
  private var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(logPath, &status) == 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedFullWidth(by: UInt64(status.f_frsize)).low)
  }
}
