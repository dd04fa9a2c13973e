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
    case window(ResourceState, after: ResourceID?, limit: Int, found: Int)
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

  /// - Parameter judge: asked at each call that writes: its name, its changes (if it is `apply`),
  ///   and its number from 1.
  public init(
    _ inner: any LibraryStore,
    judge: @escaping @Sendable (String, [ResourceChange], Int) -> Verdict = { _, _, _ in .pass }
  ) {
    self.inner = inner
    self.judge = judge
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

  private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

  private func checkAlive() throws(StoreError) {
    if isDead { throw StoreError(.closed, "the process has ended") }
  }

  private func read<Value>(
    _ name: String, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try checkAlive()
    note(.other(name))
    return try await body()
  }

  private func write<Value>(
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

  // Sources

  @concurrent
  public func beginSource(_ draft: SourceDraft) async throws(StoreError) -> SourceID {
    try await write("beginSource") { () async throws(StoreError) in
      try await inner.beginSource(draft)
    }
  }

  @concurrent
  public func completeSource(_ id: SourceID) async throws(StoreError) {
    note(.other("completeSource"))
    try await write("completeSource") { () async throws(StoreError) in
      try await inner.completeSource(id)
    }
  }

  @concurrent
  public func discardSource(_ id: SourceID) async throws(StoreError) {
    note(.other("discardSource"))
    try await write("discardSource") { () async throws(StoreError) in
      try await inner.discardSource(id)
    }
  }

  @concurrent
  public func source(key: String) async throws(StoreError) -> SourceRow? {
    try await read("source") { () async throws(StoreError) in try await inner.source(key: key) }
  }

  @concurrent
  public func incompleteSources() async throws(StoreError) -> [SourceRow] {
    try await read("incompleteSources") { () async throws(StoreError) in
      try await inner.incompleteSources()
    }
  }

  // Records

  @concurrent
  public func appendRecord(_ draft: RecordDraft) async throws(StoreError) -> RecordID {
    try await write("appendRecord") { () async throws(StoreError) in
      try await inner.appendRecord(draft)
    }
  }

  @concurrent
  public func appendResources(
    _ drafts: [ResourceDraft], to record: RecordID
  ) async throws(StoreError) {
    try await write("appendResources") { () async throws(StoreError) in
      try await inner.appendResources(drafts, to: record)
    }
  }

  @concurrent
  public func records(offset: Int, limit: Int) async throws(StoreError) -> [Record] {
    try await read("records") { () async throws(StoreError) in
      try await inner.records(offset: offset, limit: limit)
    }
  }

  @concurrent
  public func record(_ id: RecordID) async throws(StoreError) -> Record? {
    try await read("record") { () async throws(StoreError) in try await inner.record(id) }
  }

  @concurrent
  public func records(of source: SourceID) async throws(StoreError) -> [Record] {
    try await read("records(of:)") { () async throws(StoreError) in
      try await inner.records(of: source)
    }
  }

  @concurrent
  public func records(titled title: String) async throws(StoreError) -> [Record] {
    try await read("records(titled:)") { () async throws(StoreError) in
      try await inner.records(titled: title)
    }
  }

  @concurrent
  public func recordCount() async throws(StoreError) -> Int {
    try await read("recordCount") { () async throws(StoreError) in try await inner.recordCount() }
  }

  @concurrent
  public func totals() async throws(StoreError) -> ResourceCounts {
    try await read("totals") { () async throws(StoreError) in try await inner.totals() }
  }

  @concurrent
  public func setPaused(_ paused: Bool, record: RecordID) async throws(StoreError) {
    try await write("setPaused") { () async throws(StoreError) in
      try await inner.setPaused(paused, record: record)
    }
  }

  @concurrent
  public func removeRecord(_ id: RecordID) async throws(StoreError) {
    try await write("removeRecord") { () async throws(StoreError) in
      try await inner.removeRecord(id)
    }
  }

  @concurrent
  public func removeAll() async throws(StoreError) {
    try await write("removeAll") { () async throws(StoreError) in try await inner.removeAll() }
  }

  // Resources

  @concurrent
  public func resource(_ id: ResourceID) async throws(StoreError) -> Resource? {
    try await read("resource") { () async throws(StoreError) in try await inner.resource(id) }
  }

  @concurrent
  public func resources(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await read("resources(of:)") { () async throws(StoreError) in
      try await inner.resources(of: record, offset: offset, limit: limit)
    }
  }

  @concurrent
  public func resources(
    in state: ResourceState, after: ResourceID?, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try checkAlive()
    let found = try await inner.resources(in: state, after: after, limit: limit)
    note(.window(state, after: after, limit: limit, found: found.count))
    try checkAlive()
    return found
  }

  @concurrent
  public func apply(_ changes: [ResourceChange], durable: Bool) async throws(StoreError) {
    note(.apply(changes, durable: durable))
    try await write("apply", changes) { () async throws(StoreError) in
      try await inner.apply(changes, durable: durable)
    }
    appliedCount.update { $0 += 1 }
  }

  @concurrent
  public func requeueFailed(of record: RecordID?) async throws(StoreError) -> Int {
    note(.other("requeueFailed"))
    return try await write("requeueFailed") { () async throws(StoreError) in
      try await inner.requeueFailed(of: record)
    }
  }

  @concurrent
  public func partial(of id: ResourceID) async throws(StoreError) -> PartialDownload? {
    try await read("partial") { () async throws(StoreError) in try await inner.partial(of: id) }
  }

  @concurrent
  public func partials() async throws(StoreError) -> [ResourceID] {
    try await read("partials") { () async throws(StoreError) in try await inner.partials() }
  }

  @concurrent
  public func pages(of id: ResourceID) async throws(StoreError) -> [Page] {
    try await read("pages") { () async throws(StoreError) in try await inner.pages(of: id) }
  }

  @concurrent
  public func integrityProblems() async throws(StoreError) -> [String] {
    try await read("integrityProblems") { () async throws(StoreError) in
      try await inner.integrityProblems()
    }
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
