import CSQLite
import Persistence
import Synchronization
import Threading

/// Moves what the store has appended to the write-ahead log into the database, on a thread of its own,
/// so that no transaction waits for the disk.
///
/// The log restarts once all of it is in the database and no reader is left in it. Each checkpoint has
/// a connection of its own that ends with it: the last connection to end is then the store's, or the
/// reader's, and it removes the log.
final class Checkpoints: Sendable {
  enum Mode: String, Sendable {
    /// Blocks neither readers nor the writer, and copies as far as readers allow.
    case passive = "PASSIVE"
    /// Waits for the readers in the log as well, so that the next transaction begins it again.
    case restart = "RESTART"
    /// The same, and gives the blocks of the log back to the disk.
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
  func begin() {
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

  /// Returns once everything that was in the log is in the database.
  /// - Parameter patience: milliseconds to wait for readers in the log. New readers meanwhile do not
  ///   enter it.
  /// - Returns: false if a reader stayed in the log.
  @concurrent
  func finish(_ mode: Mode, patience: Int32) async -> Bool {
    let isDone = try? await queue.run {
      // Copies nearly everything beside the writer, which the second step keeps waiting.
      _ = self.checkpoint(.passive, patience: 0)
      return self.checkpoint(mode, patience: patience)
    }
    return isDone ?? false
  }

  /// Blocks until no checkpoint is under way.
  func end() { queue.finish() }

  /// Throws if a checkpoint has failed: after a failed sync the content of the disk is unknown, and a second
  /// sync would report success.
  func check() throws(StoreError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// - Returns: whether it came to the end of the log.
  private func checkpoint(_ mode: Mode, patience: Int32) -> Bool {
    // Without a connection (descriptors have run out, say) the log grows until there is one.
    guard let connection = try? Connection(path, .existing, busyTimeout: patience) else {
      return false
    }
    do throws(StoreError) {
      return try connection.checkpoint(mode)
    } catch {
      // A full disk is no reason: the log keeps what has no room in the database, and the next
      // transaction finds out by itself whether there is room for it.
      if error.code == .io { state.withLock { $0.failure = $0.failure ?? error } }
      return false
    }
  }
}

extension Connection {
  /// - Returns: false if another connection kept it from coming to the end of the log.
  fileprivate final func checkpoint(_ mode: Checkpoints.Mode) throws(StoreError) -> Bool {
    try first("PRAGMA wal_checkpoint(\(mode.rawValue))") { row throws(StoreError) in
      let isBusy = row.integer() == 1
      let (length, copied) = (row.integer(), row.integer())
      return !isBusy && length == copied
    } ?? false
  }
}
