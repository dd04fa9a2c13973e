import Persistence
import Synchronization
package import SystemCalls
import Threading

/// Writes the write-ahead log to the disk, on a thread of its own, so that no transaction waits for the disk.
///
/// A sync that begins after a commit has returned covers that commit: either the log still contains it, or a
/// checkpoint has moved it, which syncs the log and then the database before the log restarts. The log has a
/// descriptor of its own here. SQLite keeps no locks on the log, so closing the descriptor drops none.
package final class LogSync: Sendable {
  package typealias Call = @Sendable (OwnedDescriptor) throws(SystemError) -> Void

  private let file: OwnedDescriptor
  private let call: Call
  private let queue = BlockingQueue("log")
  private let failure = Mutex<StoreError?>(nil)

  /// - Parameters:
  ///   - path: The path of the database, to which a connection is open that has created the log.
  ///   - call: The call that waits for the disk.
  init(of path: String, call: @escaping Call) throws(StoreError) {
    self.call = call
    do throws(SystemError) {
      file = try FileSystem.open(path + "-wal", followingLinks: false)
    } catch {
      throw StoreError(error)
    }
  }

  package static let syncData: Call = { file throws(SystemError) in try file.syncData() }

  /// Returns when the log, as it is now, is on the disk.
  nonisolated(nonsending) func run() async throws(StoreError) {
    let result = try? await queue.run { Result { () throws(StoreError) in try self.sync() } }
    try result?.get()
  }

  /// Throws the error of an earlier sync, if one has failed: the content of the disk is then unknown, and a
  /// second sync would report success.
  func check() throws(StoreError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Blocks until no sync is under way.
  func finish() { queue.finish() }

  private func sync() throws(StoreError) {
    try check()
    do throws(SystemError) {
      try call(file)
    } catch {
      let cause = StoreError(error)
      failure.withLock { $0 = cause }
      throw cause
    }
  }
}
