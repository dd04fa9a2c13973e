public import Models
public import Persistence
import Synchronization

extension RecordingStore {
  /// The calls that tests look at; the others by name.
  public enum Call: Sendable, Equatable {
    case apply([ResourceChange], durable: Bool)
    case window(
      ResourceState, of: RecordPriority?, after: ResourceID?, limit: Int, found: Int)
    case commitGroup(durable: Bool)
    case other(String)
  }

  /// What a store was asked, and whether its process lives; for the test that gave the store away.
  public final class Log: Sendable {
    private struct State: Sendable {
      var calls: [Call] = []
      var writes = 0
      var durable: [String] = []
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

    /// The names of changes that were made in transactions that wait for the disk.
    public var durable: [String] { state.withLock { $0.durable } }

    /// The process ends now.
    public func die() { state.withLock { $0.isDead = true } }

    /// The batches that were to be applied.
    public var applied: [(changes: [ResourceChange], durable: Bool)] {
      calls.compactMap { call in
        if case .apply(let changes, let durable) = call { return (changes, durable) }
        return nil
      }
    }

    /// Whether each commit of a group was to be durable.
    public var groups: [Bool] {
      calls.compactMap { call in
        if case .commitGroup(let durable) = call { return durable }
        return nil
      }
    }

    func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

    func noteDurable(_ name: String) { state.withLock { $0.durable.append(name) } }

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
