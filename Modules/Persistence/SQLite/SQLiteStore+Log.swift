import CSQLite
import Glibc
import Persistence

/// Limits the size of the write-ahead log.
///
/// While readers follow each other without a gap, the log never gets the chance to restart, and grows as long
/// as they read. Then the writer waits for the readers (`catchUp`).
extension SQLiteStore {
  /// The length of the log, and the state of the checkpoints that limit it.
  package struct Log {
    /// The length of the log in pages, which SQLite reports after each commit.
    final class Length { var pages = 0 }

    let length = Length()
    /// The length in pages at which the next checkpoint begins.
    var checkpointDue = Self.usualLength
    var lastLength = 0
    /// The size in bytes up to which `catchUp` does not wait again, while a reader stays in the log; else 0.
    package internal(set) var patientUpTo = 0

    /// The usual length in pages; about 16 MiB.
    static let usualLength = 4_000
    static let bytesPerPage = 4_096 + 24

    var bytes: Int { length.pages * Self.bytesPerPage }

    /// Updates the state after a transaction.
    /// - Returns: Whether a checkpoint is due.
    mutating func isDue() -> Bool {
      if length.pages < lastLength { checkpointDue = Self.usualLength }
      lastLength = length.pages
      guard lastLength >= checkpointDue else { return false }
      // During continuous transactions, each checkpoint leaves the pages that were written meanwhile.
      checkpointDue = lastLength + Self.usualLength / 4
      return true
    }
  }

  /// Makes SQLite report the length of the log. The hook also disables SQLite's automatic checkpoints.
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

  /// Waits until a checkpoint has copied a log that is too large. Readers are not blocked.
  ///
  /// On a nearly full disk, the log is too large as soon as the free space may soon not suffice for the
  /// growth of the database at the checkpoint: after that neither file could shrink.
  ///
  /// If a reader stays longer (a check of the whole library, another program), `catchUp` does not wait for it
  /// again until the log has doubled, so that the reader delays few writes.
  nonisolated(nonsending) package func catchUp() async {
    let size = log.bytes
    if size > max(largestLog, log.patientUpTo) {
      // A restarting checkpoint waits for the writer, so that an open group would block it.
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

  /// Copies the log into the database and truncates it, as far as the free space allows. This also frees the
  /// blocks of a transaction that was rolled back.
  func emptyLog() {
    // A checkpoint under way would make this one fail.
    checkpoints.end()
    sqlite3_busy_timeout(handle, logReaderTimeout)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Copies the log that an earlier process left into the database, whose pages are written and synced again.
  /// The next transaction then restarts the log. A sync of the old log may have failed, which cannot be
  /// detected: the log then has a hole that only a power cut reveals, and transactions appended after a hole
  /// are lost with it.
  ///
  /// The checkpoint is passive, so that no other process has to wait, for example one that reads the library.
  /// If the disk is full, or a reader of another process stays in the log, the store continues the log as it
  /// is.
  func takeInOldLog() throws(StoreError) {
    do throws(StoreError) {
      try execute("PRAGMA wal_checkpoint(PASSIVE)")
    } catch {
      guard error.code == .diskFull || error.code == .busy else { throw error }
    }
  }

  /// The size in bytes of a log that fits into the library's reserve of disk space.
  private static let smallLog = 128 << 10
  /// The free space to keep, in bytes: more than a usual transaction adds to the log.
  private static let roomToKeep = 4 << 20

  /// The size of the log file in bytes, which does not shrink when the log restarts; nil if it cannot be
  /// read.
  private var fileSize: Int? {
    var status = stat()
    return stat(logPath, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The free space on the disk in bytes; nil if the file system does not report it.
  private var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(logPath, &status) == 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedFullWidth(by: UInt64(status.f_frsize)).low)
  }
}
