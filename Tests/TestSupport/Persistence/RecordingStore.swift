public import Models
public import Persistence
import Synchronization

/// A store in front of another one: keeps what was asked of it, and fails or dies where a test says.
///
/// A dead store refuses every call, as if the process had ended: what comes after leaves no trace.
public final class RecordingStore: LibraryStore {
  /// The calls that tests look at; the others by name.
  public enum Call: Sendable, Equatable {
    case apply([ResourceChange], durable: Bool)
    case window(
      ResourceState, of: RecordPriority?, after: ResourceID?, limit: Int, found: Int)
    case other(String)
  }

  public enum Verdict: Sendable {
    case pass
    case fail(StoreError)
    /// The process ends before, or right after, the call had its effect.
    case dieBefore, dieAfter
    /// As `pass`, once the gate is open.
    case hold(Gate)
  }

  private struct State {
    var calls: [Call] = []
    var writes = 0
    var isDead = false
  }

  public let inner: any LibraryStore
  private let state = Mutex(State())
  /// How many calls of `apply` have returned.
  public let appliedCount = Watched(0)
  private let judge: @Sendable (String, [ResourceChange], Int) -> Verdict
  private let holding: @Sendable (String) -> Gate?

  /// - Parameter judge: asked at each call that writes: its name, its changes (if it is `apply`),
  ///   and its number from 1.
  /// - Parameter holding: asked at each call that reads; its answer is kept until the gate is open.
  public init(
    _ inner: any LibraryStore,
    judge: @escaping @Sendable (String, [ResourceChange], Int) -> Verdict = { _, _, _ in .pass },
    holding: @escaping @Sendable (String) -> Gate? = { _ in nil }
  ) {
    self.inner = inner
    self.judge = judge
    self.holding = holding
  }

  public var calls: [Call] { state.withLock { $0.calls } }
  public var isDead: Bool { state.withLock { $0.isDead } }
  public var writeCount: Int { state.withLock { $0.writes } }

  /// The process ends now.
  public func die() { state.withLock { $0.isDead = true } }

  /// The batches that were applied.
  public var applied: [(changes: [ResourceChange], durable: Bool)] {
    calls.compactMap { call in
      if case .apply(let changes, let durable) = call { return (changes, durable) }
      return nil
    }
  }

  func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

  func checkAlive() throws(StoreError) {
    if isDead { throw StoreError(.closed, "the process has ended") }
  }

  func read<Value>(
    _ name: String, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try checkAlive()
    note(.other(name))
    let value = try await body()
    if let gate = holding(name) { try? await gate.pass() }
    return value
  }

  func write<Value>(
    _ name: String, _ changes: [ResourceChange] = [],
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try checkAlive()
    let number = state.withLock { state in
      state.writes += 1
      return state.writes
    }
    switch judge(name, changes, number) {
    case .pass: break
    case .hold(let gate): try? await gate.pass()
    case .fail(let error): throw error
    case .dieBefore:
      die()
      try checkAlive()
    case .dieAfter:
      _ = try await body()
      die()
      try checkAlive()
    }
    try checkAlive()
    return try await body()
  }

  /// The inner store stays open: it is the disk, and survives the process.
  public func close() async { die() }
}

/// Opens a store that is there already.
public struct GivenStoreOpening: StoreOpening {
  private let store: any LibraryStore

  public init(_ store: any LibraryStore) { self.store = store }

  @concurrent
  public func open(folder: String) async throws(StoreError) -> any LibraryStore { store }
}
