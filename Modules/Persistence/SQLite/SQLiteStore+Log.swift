import CSQLite
import Glibc
import Persistence

/// The size of the write-ahead log.
///
/// Under readers that follow each other without a gap the moment at which the log may restart never
/// comes by itself: it would grow as long as they read. Then the writer waits for them (`catchUp`).
extension SQLiteStore {
  /// How far the log has grown, and what was done about it.
  package struct Log {
    /// Pages in the log, as SQLite tells after each commit.
    final class Length { var pages = 0 }

    let length = Length()
    /// Pages at which the next checkpoint begins.
    var checkpointDue = Self.usualLength
    var lastLength = 0
    /// As long as a reader stays in the log: the number of bytes at which it is waited for again.
    package internal(set) var patientUpTo = 0

    /// About 16 MiB.
    static let usualLength = 4_000
    static let bytesPerPage = 4_096 + 24

    var bytes: Int { length.pages * Self.bytesPerPage }

    /// After a transaction.
    /// - Returns: whether a checkpoint is due.
    mutating func isDue() -> Bool {
      if length.pages < lastLength { checkpointDue = Self.usualLength }
      lastLength = length.pages
      guard lastLength >= checkpointDue else { return false }
      // Under a stream of transactions each checkpoint leaves what was written meanwhile.
      checkpointDue = lastLength + Self.usualLength / 4
      return true
    }
  }

  /// Has SQLite tell the length of the log; it begins no checkpoints by itself any more.
  func watchLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context {
          Unmanaged<Log.Length>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(log.length).toOpaque())
  }

  /// Waits until the database has taken in a log that is too large. Readers do not notice.
  ///
  /// On a disk that is nearly full it is too large as soon as the disk might soon have no room for what
  /// the database grows by when it takes the log in: then neither could become smaller again.
  ///
  /// A reader that stays longer (a check of the whole library, another program) is not waited for
  /// again until the log has doubled, so that it holds up few writes.
  nonisolated(nonsending) package func catchUp() async {
    let size = log.bytes
    if size > max(largestLog, log.patientUpTo) {
      // A checkpoint that restarts the log waits for the writer.
      endGroup()
      let isDone = await checkpoints.finish(.restart, patience: logReaderTimeout)
      log.patientUpTo = isDone ? 0 : 2 * size
    } else if let size = fileSize, size > max(Self.smallLog, log.patientUpTo),
      let free = freeBytes, free < size + Self.roomToKeep
    {
      endGroup()
      let isDone = await checkpoints.finish(.truncate, patience: logReaderTimeout)
      log.patientUpTo = isDone ? 0 : 2 * size
    }
  }

  /// Takes the log into the database and gives its blocks back to the disk, as far as there is room
  /// for it: also those of a transaction that came to nothing.
  func emptyLog() {
    // While one is under way this one would not begin.
    checkpoints.end()
    sqlite3_busy_timeout(handle, logReaderTimeout)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Takes the log that an earlier process left into the database, whose pages are written and synced again.
  /// The next transaction then restarts the log. Nobody knows whether a sync of it had failed: then it has a
  /// hole that only a power cut shows, and what is added behind a hole is lost with it.
  ///
  /// Passive, so that no other process has to wait: one may be looking at the library. Where there is no room for
  /// it, or a reader of another process stays in it, the log is continued as it is.
  func takeInOldLog() throws(StoreError) {
    do throws(StoreError) {
      try execute("PRAGMA wal_checkpoint(PASSIVE)")
    } catch {
      guard error.code == .diskFull || error.code == .busy else { throw error }
    }
  }

  /// A log that the reserve of the library has room for.
  private static let smallLog = 128 << 10
  /// More than a usual transaction adds to the log.
  private static let roomToKeep = 4 << 20

  /// Bytes of the log's file, which does not shrink when the log restarts.
  private var fileSize: Int? {
    var status = stat()
    return stat(logPath, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Bytes that can still be written on the disk; nil if it does not say so.
  private var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(logPath, &status) == 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedFullWidth(by: UInt64(status.f_frsize)).low)
  }
}
