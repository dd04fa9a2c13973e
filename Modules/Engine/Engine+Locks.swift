import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Waits for locks of other processes on the database, such as those of an inspection tool or a backup.
extension Engine {
  /// The longest wait for another process's lock, and the interval between two checks, in seconds.
  static let lockTimeout = 5.0
  static let lockInterval = 0.020

  /// Returns when a transaction can begin, with suspensions while the database is locked. The caller writes
  /// in the turn in which this returns; only a lock that is acquired at that very moment is waited for
  /// within the turn.
  /// - Throws: `.busy` if another process keeps the lock.
  func untilUnlocked() async throws(StoreError) {
    let deadline = ports.clock.now() + Self.lockTimeout
    while true {
      do throws(StoreError) {
        return try store.checkUnlocked()
      } catch {
        guard error.code == .busy, ports.clock.now() < deadline else { throw error }
        let next = ports.clock.now() + Self.lockInterval
        guard (try? await ports.clock.sleep(until: next)) != nil else { throw error }
      }
    }
  }
}
