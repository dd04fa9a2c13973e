import Persistence
import StoreContracts
import Threading

/// Has a store on a thread that may wait, as an engine has.
actor StoreOwner {
  private let executor = BlockingExecutor("test.owner")
  private let store: any LibraryStore

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: sending any LibraryStore) { self.store = store }

  func run<Value: Sendable>(
    _ body: @Sendable (any LibraryStore) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try body(store)
  }

  func close() async { await store.closeWithReader() }
}
