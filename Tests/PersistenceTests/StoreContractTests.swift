import Persistence
import PersistenceMemory
import PersistenceSQLite
import StoreContracts
import Testing

enum StoreAdapter: String, CaseIterable, Sendable {
  case sqlite, memory

  var opening: any StoreOpening {
    switch self {
    case .sqlite: SQLiteStoreOpening()
    case .memory: MemoryStoreOpening()
    }
  }
}

@Suite("The contract of the store")
struct StoreContractTests {
  @Test("Every store keeps the contract", arguments: StoreContract.rules, StoreAdapter.allCases)
  func keeps(rule: StoreRule, adapter: StoreAdapter) async throws {
    try await rule.check(adapter.opening)
  }
}
