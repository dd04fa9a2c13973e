import Persistence
import PersistenceMemory
import PersistenceSQLite
import Testing

/// One sentence of the port's documentation and how to see that a store keeps it.
struct StoreRule: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable (any LibraryStore) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (any LibraryStore) async throws -> Void) {
    self.name = name
    self.check = check
  }

  var testDescription: String { name }
}

enum StoreAdapter: String, CaseIterable, Sendable {
  case sqlite, memory

  var opening: any StoreOpening {
    switch self {
    case .sqlite: SQLiteStoreOpening()
    case .memory: MemoryStoreOpening()
    }
  }
}

/// What every store keeps to, rule by rule.
enum StoreContract {
  static let rules =
    sources + records + looseRecord + resources + order + changes + requeueing + files + queue
    + caches + transactions + readers + life
}

@Suite("The contract of the store")
struct StoreContractTests {
  @Test("Every store keeps the contract", arguments: StoreContract.rules, StoreAdapter.allCases)
  func keeps(rule: StoreRule, adapter: StoreAdapter) async throws {
    let folder = try TemporaryFolder()
    let store = try await adapter.opening.open(folder: folder.path)
    try await rule.check(store)
    do {
      #expect(try await store.reader.integrityProblems() == [])
    } catch {
      // A rule about closing.
      #expect(error.code == .closed)
    }
    await store.closeWithReader()
  }
}
