public import Models
public import Persistence
import Synchronization

extension RecordingStore {
  /// The calls that tests look at; the others by name.
  public enum Call: Sendable, Equatable {
    case apply([ResourceChange])
    case window(
      ResourceState, of: RecordPriority?, after: ResourceID?, limit: Int, found: Int)
    case commitGroup, sync
    case other(String)
  }

  /// What a store was asked, and whether its process lives; for the test that gave the store away.
  public final class Log: Sendable {
    private struct State: Sendable {
      var calls: [Call] = []
      var writes = 0
      /// The names of changes, those that a sync came after first.
      var written: [String] = []
      var syncedCount = 0
      var isDead = false
    }

    private let state = Mutex(State())
    /// How many calls of `apply` are committed.
    public let appliedCount = Watched(0)

    public init() {}

    public var calls: [Call] { state.withLock { $0.calls } }
    public var isDead: Bool { state.withLock { $0.isDead } }
    /// Changes that were asked for.
    public var writeCount: Int { state.withLock { $0.writes } }

    /// The names of changes that a sync came after.
    public var synced: [String] { state.withLock { Array($0.written[..<$0.syncedCount]) } }

    /// The process ends now.
    public func die() { state.withLock { $0.isDead = true } }

    /// The batches that were to be applied, each with whether a sync came after it and before the next.
    public var applied: [(changes: [ResourceChange], isSynced: Bool)] {
      var found: [(changes: [ResourceChange], isSynced: Bool)] = []
      for call in calls {
        switch call {
        case .apply(let changes): found.append((changes, false))
        case .sync: if !found.isEmpty { found[found.count - 1].isSynced = true }
        default: break
        }
      }
      return found
    }

    /// Commits of groups and syncs, in order.
    public var commits: [Call] { calls.filter { $0 == .commitGroup || $0 == .sync } }

    func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

    func noteWrite(_ name: String) { state.withLock { $0.written.append(name) } }

    func noteSync() {
      state.withLock { state in
        state.syncedCount = state.written.count
        state.calls.append(.sync)
      }
    }

    /// - Returns: its number.
    func countWrite() -> Int {
      state.withLock { state in
        state.writes += 1
        return state.writes
      }
    }

    func count(_ applied: Int) { if applied > 0 { appliedCount.update { $0 += applied } } }

    func checkAlive() throws(StoreError) {
      if isDead { throw StoreError(.closed, "the process has ended") }
    }
  }
}
