import Persistence
import Synchronization
package import SystemCalls
import Threading

/// Syncs the write-ahead log to disk, on a thread of its own, so that no transaction waits for the disk.
///
/// A sync that begins after a commit has returned covers that commit: either the log still contains it, or a
/// checkpoint has copied it, and a checkpoint syncs the log and then the database before SQLite overwrites
/// the log. The log is opened with a separate descriptor here; SQLite holds no locks on the log, so closing
/// this descriptor releases none.
package final class LogSync: Sendable {
  package typealias Call = @Sendable (OwnedDescriptor) throws(SystemError) -> Void

  private let file: OwnedDescriptor
  private let call: Call
  private let queue = BlockingQueue("log")
  private let failure = Mutex<StoreError?>(nil)

  /// - Parameters:
  ///   - path: The path of the database. A connection to it must be open and must have created the log.
  ///   - call: The system call that waits until the log's content is on disk.
  init(of path: String, call: @escaping Call) throws(StoreError) {
    self.call = call
    do throws(SystemError) {
      file = try FileSystem.open(path + "-wal", followingLinks: false)
    } catch {
      throw StoreError(error)
    }
  }

  package static let syncData: Call = { file throws(SystemError) in try file.syncData() }

  /// Returns when the current content of the log is on disk.
  nonisolated(nonsending) func run() async throws(StoreError) {
    let result = try? await queue.run { Result { () throws(StoreError) in try self.sync() } }
    try result?.get()
  }

  /// Throws the error of an earlier sync, if one failed: the content of the disk is then unknown, and a
  /// second sync would report success.
  func check() throws(StoreError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Blocks until no sync is running.
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
