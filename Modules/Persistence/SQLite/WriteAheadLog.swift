import CSQLite
import Glibc
import Persistence

/// Limits the size of the write-ahead log.
///
/// While at least one reader is always active, SQLite cannot overwrite the log from its start, so that the
/// log keeps growing. The writer then waits for the readers (`reduce`).
package final class WriteAheadLog {
  /// A log that is too large, and the mode of the checkpoint that copies it.
  struct Backlog {
    let bytes: Int
    let mode: Checkpoints.Mode
  }

  private let connection: Connection
  private let path: String
  private let checkpoints: Checkpoints
  /// The size in bytes above which the writer waits for a checkpoint: four times the usual size.
  package var maximumBytes = 64 << 20
  /// The time that `reduce` waits for the readers of the log, in milliseconds. A read takes a few
  /// milliseconds, and readers that begin meanwhile do not use the log.
  package var readerTimeout: Int32 = 500
  /// The length of the log in pages, which SQLite reports after each commit.
  private var pages = 0
  /// The length in pages at which the next checkpoint is requested.
  private var checkpointDue = usualPageCount
  private var lastLength = 0
  /// The size in bytes up to which the writer does not wait again because a reader blocked the last
  /// checkpoint; 0 if none did.
  package private(set) var noWaitBelowBytes = 0

  /// The usual length of the log in pages; about 16 MiB.
  private static let usualPageCount = 4_000
  private static let bytesPerPage = 4_096 + 24
  /// The maximum size in bytes of a log that is not truncated on a nearly full disk: the blocks that
  /// `DiskReserve` releases suffice for such a log.
  private static let smallSize = 128 << 10
  /// The free disk space to keep, in bytes: more than a usual transaction adds to the log.
  private static let keptFreeBytes = 4 << 20

  /// - Parameter connection: The connection that writes the log. After `installHook`, it must be closed
  ///   before this object is deallocated.
  init(of connection: Connection, mayRefuseIndex: Bool) {
    self.connection = connection
    path = connection.path + "-wal"
    checkpoints = Checkpoints(of: connection.path, mayRefuseIndex: mayRefuseIndex)
  }

  /// Makes SQLite report the length of the log after each commit. The hook also disables SQLite's automatic
  /// checkpoints.
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

  /// Copies the log that an earlier process left into the database, whose pages are then written and synced
  /// again; the next transaction overwrites the log from its start. This is necessary because a sync of the
  /// old log may have failed, which cannot be detected: after a power failure the log could then have a hole,
  /// and all transactions behind the hole would be lost.
  ///
  /// The checkpoint is passive, so that no other process has to wait, such as a reader of the library. If the
  /// disk is full, or a reader of another process still uses the log, the store continues the log as it is.
  func checkpointOldLog() throws(StoreError) {
    do throws(StoreError) {
      try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    } catch {
      guard error.code == .diskFull || error.code == .busy else { throw error }
    }
  }

  /// Throws the error of an earlier checkpoint, if one failed.
  func check() throws(StoreError) { try checkpoints.check() }

  /// Starts a checkpoint after a transaction if the log has become long enough.
  func transactionEnded() {
    if pages < lastLength { checkpointDue = Self.usualPageCount }
    lastLength = pages
    guard lastLength >= checkpointDue else { return }
    // During continuous transactions, each checkpoint leaves the pages that were written while it ran.
    checkpointDue = lastLength + Self.usualPageCount / 4
    checkpoints.requestCheckpoint()
  }

  /// The log if it is too large, or else nil.
  ///
  /// On a nearly full disk, the log is too large as soon as the free space might soon not suffice for the
  /// growth of the database at the checkpoint. Without that space, neither file could shrink any more.
  var backlog: Backlog? {
    let size = pages * Self.bytesPerPage
    if size > max(maximumBytes, noWaitBelowBytes) { return Backlog(bytes: size, mode: .restart) }
    guard let size = fileSize, size > max(Self.smallSize, noWaitBelowBytes), let free = freeBytes,
      free < size + Self.keptFreeBytes
    else { return nil }
    return Backlog(bytes: size, mode: .truncate)
  }

  /// Waits until a checkpoint has copied a log that is too large. Readers are not blocked. The caller must
  /// not have a transaction open, since the checkpoint would wait for it.
  ///
  /// If a reader does not finish in time (a check of the whole library, another program), the writer does not
  /// wait again until the log has doubled, so that such a reader delays few writes.
  nonisolated(nonsending) func reduce(_ backlog: Backlog) async {
    let isDone = await checkpoints.finish(backlog.mode, patience: readerTimeout)
    noWaitBelowBytes = isDone ? 0 : 2 * backlog.bytes
  }

  /// Copies the log into the database and truncates the log, as far as the free space allows. This also frees
  /// the disk blocks of a transaction that was rolled back.
  func empty() {
    // A running checkpoint would make this one fail.
    checkpoints.waitForCheckpoint()
    guard (try? connection.prepareIndex()) != nil else { return }
    connection.waiting(readerTimeout) {
      _ = sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }

  /// Blocks until no checkpoint is running.
  func endCheckpoints() { checkpoints.waitForCheckpoint() }

  /// The size of the log file in bytes; nil if it cannot be read. The file does not shrink when SQLite
  /// overwrites the log from its start.
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
