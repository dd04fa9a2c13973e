import CSQLite
import Glibc
import Persistence

/// Limits the size of the write-ahead log.
///
/// While readers follow each other without a gap, the log never gets the chance to restart, and grows as long
/// as they read. Then the writer waits for the readers (`reduce`).
package final class WriteAheadLog {
  /// A log that is too large, and the checkpoint that copies it.
  struct Backlog {
    let bytes: Int
    let mode: Checkpoints.Mode
  }

  private let connection: Connection
  private let path: String
  private let checkpoints: Checkpoints
  /// The size in bytes above which the writer stops the growth of the log, four times its usual size.
  package var maximumBytes = 64 << 20
  /// The time that `reduce` waits for the readers of the log, in milliseconds. A read takes a few
  /// milliseconds, and new readers do not enter the log meanwhile.
  package var readerTimeout: Int32 = 500
  /// The length of the log in pages, which SQLite reports after each commit.
  private var pages = 0
  /// The length in pages at which the next checkpoint begins.
  private var checkpointDue = usualPageCount
  private var lastLength = 0
  /// The size in bytes up to which the writer does not wait again, while a reader stays in the log; else 0.
  package private(set) var noWaitBelowBytes = 0

  /// The usual length in pages; about 16 MiB.
  private static let usualPageCount = 4_000
  private static let bytesPerPage = 4_096 + 24
  /// The size in bytes of a log that fits into the library's reserve of disk space.
  private static let smallSize = 128 << 10
  /// The free space to keep, in bytes: more than a usual transaction adds to the log.
  private static let keptFreeBytes = 4 << 20

  /// - Parameter connection: The connection that writes the log. It must be closed before the log is
  ///   deallocated, once `watch` was called.
  init(of connection: Connection) {
    self.connection = connection
    path = connection.path + "-wal"
    checkpoints = Checkpoints(of: connection.path)
  }

  /// Makes SQLite report the length of the log. The hook also disables SQLite's automatic checkpoints.
  func installHook() {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        if let context {
          Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies the log that an earlier process left into the database, whose pages are written and synced again.
  /// The next transaction then restarts the log. A sync of the old log may have failed, which cannot be
  /// detected: the log then has a hole that only a power cut reveals, and transactions appended after a hole
  /// are lost with it.
  ///
  /// The checkpoint is passive, so that no other process has to wait, for example one that reads the library.
  /// If the disk is full, or a reader of another process stays in the log, the store continues the log as it
  /// is.
  func checkpointOldLog() throws(StoreError) {
    do throws(StoreError) {
      try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    } catch {
      guard error.code == .diskFull || error.code == .busy else { throw error }
    }
  }

  /// Throws if a checkpoint has failed.
  func check() throws(StoreError) { try checkpoints.check() }

  /// Begins a checkpoint after a transaction if one is due.
  func transactionEnded() {
    if pages < lastLength { checkpointDue = Self.usualPageCount }
    lastLength = pages
    guard lastLength >= checkpointDue else { return }
    // During continuous transactions, each checkpoint leaves the pages that were written meanwhile.
    checkpointDue = lastLength + Self.usualPageCount / 4
    checkpoints.requestCheckpoint()
  }

  /// The log if it is too large, else nil.
  ///
  /// On a nearly full disk, the log is too large as soon as the free space may soon not suffice for the
  /// growth of the database at the checkpoint: after that neither file could shrink.
  var backlog: Backlog? {
    let size = pages * Self.bytesPerPage
    if size > max(maximumBytes, noWaitBelowBytes) { return Backlog(bytes: size, mode: .restart) }
    guard let size = fileSize, size > max(Self.smallSize, noWaitBelowBytes), let free = freeBytes,
      free < size + Self.keptFreeBytes
    else { return nil }
    return Backlog(bytes: size, mode: .truncate)
  }

  /// Waits until a checkpoint has copied a log that is too large. Readers are not blocked. The caller has no
  /// transaction open, for which the checkpoint would wait.
  ///
  /// If a reader stays longer (a check of the whole library, another program), the writer does not wait for
  /// it again until the log has doubled, so that the reader delays few writes.
  nonisolated(nonsending) func reduce(_ backlog: Backlog) async {
    let isDone = await checkpoints.finish(backlog.mode, patience: readerTimeout)
    noWaitBelowBytes = isDone ? 0 : 2 * backlog.bytes
  }

  /// Copies the log into the database and truncates it, as far as the free space allows. This also frees the
  /// blocks of a transaction that was rolled back.
  func empty() {
    // A checkpoint under way would make this one fail.
    checkpoints.waitForCheckpoint()
    connection.waiting(readerTimeout) {
      _ = sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }

  /// Blocks until no checkpoint is under way.
  func endCheckpoints() { checkpoints.waitForCheckpoint() }

  /// The size of the log file in bytes, which does not shrink when the log restarts; nil if it cannot be
  /// read.
  private var fileSize: Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The free space on the disk in bytes; nil if the file system does not report it.
  private var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedFullWidth(by: UInt64(status.f_frsize)).low)
  }
}
