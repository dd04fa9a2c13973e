import Models
import Persistence
import PersistenceMemory
import PersistenceSQLite
import TestSupport
import StoreContracts
import Testing

/// What the tests of the engine rely on when they let a process die.
@Suite("A store whose process may end")
struct RecordingStoreTests {
  private let disk = LibraryDisk(MemoryStore())

  private func addRecord() throws -> [ResourceID] {
    try disk.write { store throws(StoreError) in try store.addRecord(resources: 2).resources }
  }

  private func attempts(_ ids: [ResourceID]) throws -> [Int?] {
    try disk.write { store in try ids.map { try store.resource($0)?.attempts } }
  }

  @Test("It keeps what was asked, and counts what is committed")
  func records() throws {
    let ids = try addRecord()
    let store = RecordingStore(disk)
    try store.apply([.attempted(ids[0])])
    #expect(store.log.appliedCount.value == 1)
    try store.transaction { () throws(StoreError) in
      try store.apply([.attempted(ids[1])])
      #expect(store.log.appliedCount.value == 1)
      _ = try store.totals()
      try store.setLibraryState(LibraryState())
    }
    #expect(store.log.appliedCount.value == 2)
    #expect(store.log.writeCount == 3)
    #expect(
      store.log.calls == [
        .apply([.attempted(ids[0])]), .apply([.attempted(ids[1])]),
        .other("totals"),
      ])
    #expect(try attempts(ids) == [1, 1])
  }

  @Test("It dies before a change, or once the change is committed", arguments: [false, true])
  func dies(after: Bool) throws {
    let ids = try addRecord()
    let store = RecordingStore(
      disk, judge: { _, _, number in number == 2 ? (after ? .dieAfter : .dieBefore) : .pass })
    try store.apply([.attempted(ids[0])])
    #expect(try errorCode { try store.apply([.attempted(ids[1])]) } == .closed)
    #expect(store.log.isDead)
    #expect(try attempts(ids) == [1, after ? 1 : 0])
    #expect(try errorCode { _ = try store.totals() } == .closed)
    #expect(try errorCode { try store.setLibraryState(LibraryState()) } == .closed)
    try RecordingStore(disk).apply([.attempted(ids[1])])
    #expect(try attempts(ids) == [1, after ? 2 : 1])
  }

  @Test("A transaction in which it dies is undone; one after which it dies is not")
  func diesInside() throws {
    let ids = try addRecord()
    func outcome(_ verdict: RecordingStore.Verdict) throws -> [Int?] {
      let store = RecordingStore(disk, judge: { _, _, number in number == 1 ? verdict : .pass })
      let code = try errorCode {
        try store.transaction { () throws(StoreError) in
          try store.apply([.attempted(ids[0])])
          try store.apply([.attempted(ids[1])])
        }
      }
      #expect(code == .closed)
      #expect(store.log.isDead && store.log.appliedCount.value == 0)
      return try attempts(ids)
    }
    #expect(try outcome(.dieBefore) == [0, 0])
    #expect(try outcome(.dieAfter) == [1, 1])
    let store = RecordingStore(disk)
    let code = try errorCode {
      try store.transaction { () throws(StoreError) in
        try store.apply([.attempted(ids[0])])
        store.log.die()
      }
    }
    #expect(code == .closed)
    #expect(try attempts(ids) == [1, 1])
  }

  @Test("Its reader keeps an answer until the gate is open, and reads nothing once it is dead")
  func holds() async throws {
    let ids = try addRecord()
    let gate = Gate()
    let store = RecordingStore(disk, holding: { $0 == "resource" ? gate : nil })
    let (log, reader) = (store.log, store.reader)
    #expect(try await reader.totals().queued == 2)
    async let held = reader.resource(ids[0])
    try await gate.untilWaiting()
    #expect(log.calls == [.other("totals"), .other("resource")])
    gate.open()
    #expect(try await held?.id == ids[0])
    log.die()
    #expect(try await errorCode(opening: { _ = try await reader.totals() }) == .closed)
    #expect(try await disk.totals().queued == 2)
  }

  @Test("It is given to its owner once")
  func given() async throws {
    let opening = GivenStoreOpening(RecordingStore(disk))
    let owner = StoreOwner(try await opening.open(folder: ""))
    #expect(try await owner.run { store throws(StoreError) in try store.recordCount() } == 0)
    #expect(try await errorCode(opening: { _ = try await opening.open(folder: "") }) == .internal)
  }
}
