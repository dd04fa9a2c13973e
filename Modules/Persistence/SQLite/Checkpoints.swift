import CSQLite
import Persistence
import Synchronization
import Threading

/// Copies the write-ahead log into the database, on a thread of its own, so that no transaction waits for the
/// disk.
///
/// The log restarts once its content is in the database and no reader uses it. Each checkpoint opens a
/// connection of its own and closes it again. The last connection to close is therefore that of the store or
/// the reader, and it removes the log.
final class Checkpoints: Sendable {
  enum Mode: String, Sendable {
    /// Blocks neither readers nor the writer, and copies as much as readers allow.
    case passive = "PASSIVE"
    /// Also waits for the readers of the log, so that the next transaction restarts it.
    case restart = "RESTART"
    /// Like `restart`, and truncates the log, which frees its disk blocks.
    case truncate = "TRUNCATE"
  }

  private struct State {
    var isPending = false
    var failure: StoreError?
  }

  private let path: String
  private let queue = BlockingQueue("checkpoints")
  private let state = Mutex(State())

  init(of path: String) { self.path = path }

  /// Begins a passive checkpoint, unless one is under way.
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

  /// Runs a checkpoint and returns at its end.
  /// - Parameter patience: The time to wait for readers of the log, in milliseconds. Meanwhile new readers do
  ///   not enter the log.
  /// - Returns: Whether the whole log is in the database; false if a reader stayed in the log, for example.
  @concurrent
  func finish(_ mode: Mode, patience: Int32) async -> Bool {
    let isDone = try? await queue.run {
      // The passive step copies nearly everything concurrently with the writer, which the second step blocks.
      _ = self.checkpoint(.passive, patience: 0)
      return self.checkpoint(mode, patience: patience)
    }
    return isDone ?? false
  }

  /// Blocks until no checkpoint is under way.
  func waitForCheckpoint() { queue.finish() }

  /// Throws if a checkpoint has failed: after a failed sync the content of the disk is unknown, and a second
  /// sync would report success.
  func check() throws(StoreError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// - Returns: Whether the whole log is in the database.
  private func checkpoint(_ mode: Mode, patience: Int32) -> Bool {
    // Without a connection (for lack of descriptors, for example) the log grows until a later checkpoint
    // succeeds.
    guard let connection = try? Connection(path, .existing, busyTimeout: patience) else {
      return false
    }
    do throws(StoreError) {
      return try connection.checkpoint(mode)
    } catch {
      // A full disk is no such failure: the log keeps the pages that the database has no room for, and the
      // next transaction reports the full disk itself.
      if error.code == .io { state.withLock { $0.failure = $0.failure ?? error } }
      return false
    }
  }
}

extension Connection {
  /// - Returns: Whether the whole log was copied; false if another connection prevented it.
  fileprivate final func checkpoint(_ mode: Checkpoints.Mode) throws(StoreError) -> Bool {
    try first("PRAGMA wal_checkpoint(\(mode.rawValue))") { row throws(StoreError) in
      let isBusy = row.integer() == 1
      let (length, copied) = (row.integer(), row.integer())
      return !isBusy && length == copied
    } ?? false
  }
}
