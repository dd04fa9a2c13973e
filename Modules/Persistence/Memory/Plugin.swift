public import Persistence
public import Wiring

/// Registers `memory` for the `store` port.
public enum MemoryStorePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("memory", for: .store) { _ in MemoryStoreOpening() }
  }
}

/// Opens empty stores in memory. No data reaches the folder or outlives the process.
public struct MemoryStoreOpening: StoreOpening {
  public init() {}

  @concurrent
  public func open(folder: String) async throws(StoreError) -> sending any LibraryStore {
    MemoryStore()
  }

  /// Returns a reader of a new, empty store, since no data outlives a process.
  @concurrent
  public func openForReading(folder: String) async throws(StoreError) -> any LibraryReader {
    MemoryStore().reader
  }
}
