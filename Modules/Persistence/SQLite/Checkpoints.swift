import CSQLite
import Persistence
import Synchronization
import Threading

/// Copies the write-ahead log into the database, on a thread of its own, so that no transaction waits for the
/// disk.
///
/// SQLite overwrites the log from its start once the whole log is in the database and no reader uses it. Each
/// checkpoint opens a connection of its own and closes it again, so the last connection to close, which
/// removes the log, is that of the store or the reader.
final class Checkpoints: Sendable {
  enum Mode: String, Sendable {
    /// Blocks neither readers nor the writer, and copies as much as readers allow.
    case passive = "PASSIVE"
    /// Also waits for the readers of the log, so that the next transaction overwrites the log from its start.
    case restart = "RESTART"
    /// Like `restart`, and truncates the log, which frees its disk blocks.
    case truncate = "TRUNCATE"
  }

  private struct State {
    var isPending = false
    var failure: StoreError?
  }

  private let path: String
  private let mayRefuseIndex: Bool
  private let queue = BlockingQueue("checkpoints")
  private let state = Mutex(State())

  init(of path: String, mayRefuseIndex: Bool) {
    self.path = path
    self.mayRefuseIndex = mayRefuseIndex
  }

  /// Starts a passive checkpoint, unless one is already pending.
  func requestCheckpoint() {
    let isFirst = state.withLock { state in
      defer { state.isPending = true }
      return !state.isPending
    }
    guard isFirst else { return }
    queue.start {
      _ = self.checkpoint(.passive, patience: 0)
      self.state.withLock { $0.isPending = false }
    }
  }

  /// Runs a checkpoint, and returns when it has ended.
  /// - Parameter patience: The time to wait for readers of the log, in milliseconds. Readers that begin
  ///   meanwhile do not use the log.
  /// - Returns: Whether the whole log is in the database; false, for example, if a reader still uses the log.
  @concurrent
  func finish(_ mode: Mode, patience: Int32) async -> Bool {
    let isDone = try? await queue.run {
      // The passive checkpoint copies most pages while the writer continues; the second one blocks the
      // writer.
      _ = self.checkpoint(.passive, patience: 0)
      return self.checkpoint(mode, patience: patience)
    }
    return isDone ?? false
  }

  /// Blocks until no checkpoint is running.
  func waitForCheckpoint() { queue.finish() }

  /// Throws the error of an earlier checkpoint, if one failed: after a failed sync the content of the disk is
  /// unknown, and a second sync would report success.
  func check() throws(StoreError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Runs one checkpoint on a new connection.
  /// - Returns: Whether the whole log is in the database.
  private func checkpoint(_ mode: Mode, patience: Int32) -> Bool {
    // If no connection can be opened (for lack of file descriptors, for example), the log grows until a later
    // checkpoint succeeds.
    guard let connection = try? Connection(path, .existing, busyTimeout: patience) else {
      return false
    }
    do throws(StoreError) {
      if mayRefuseIndex { try connection.guardIndex() }
      return try connection.checkpoint(mode)
    } catch {
      // A full disk is not recorded as a failure: the log keeps the pages for which the database has no room,
      // and the next transaction reports the full disk itself.
      if error.code == .io { state.withLock { $0.failure = $0.failure ?? error } }
      return false
    }
  }
}

extension Connection {
  /// Runs one checkpoint on this connection.
  /// - Returns: Whether the whole log was copied; false if another connection prevented that.
  fileprivate final func checkpoint(_ mode: Checkpoints.Mode) throws(StoreError) -> Bool {
    try first("PRAGMA wal_checkpoint(\(mode.rawValue))") { row throws(StoreError) in
      let isBusy = row.integer() == 1
      let (length, copied) = (row.integer(), row.integer())
      return !isBusy && length == copied
    } ?? false
  }
}
