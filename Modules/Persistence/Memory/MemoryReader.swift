import Persistence
import Synchronization

/// Reads a memory store from any task, between its transactions.
///
/// `@unchecked`: the store is not `Sendable`, but a reader only reads it, and holds the same lock as a change
/// does from its first step to the end of its transaction.
struct MemoryReader: LibraryReader, @unchecked Sendable {
  /// The state that all readers of a store share; the store's lock protects it.
  struct State {
    var isClosed = false
  }

  private let store: MemoryStore

  init(_ store: MemoryStore) { self.store = store }

  @concurrent
  func read<Value: Sendable>(
    _ body: @Sendable (any LibraryRows) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try store.access.withLock { state throws(StoreError) in
      if state.isClosed { throw StoreError(.closed, "the library is closed") }
      return try body(store)
    }
  }

  @concurrent
  func integrityProblems() async throws(StoreError) -> [String] {
    try await read { _ throws(StoreError) in
      try store.checkOpen()
      return store.tables.problems
    }
  }

  func close() async { store.access.withLock { $0.isClosed = true } }
}
