import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Another process may have the database locked: a tool that looks into it, or a backup.
extension Engine {
  /// How long a lock of another process is waited for, and how often it is looked at, in seconds.
  static let lockTimeout = 5.0
  static let lockInterval = 0.020

  /// Returns when a transaction can begin, between turns: others come in between. What is to be written
  /// follows in the turn in which this returns; only a lock that is taken at that very moment is waited for
  /// in the turn.
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
