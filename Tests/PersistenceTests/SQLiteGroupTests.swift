import Foundation
import Glibc
import Models
import Persistence
import PersistenceSQLite
import StoreContracts
import TestSupport
import Testing

/// Bytes of the write-ahead log, which grows until its first checkpoint.
private func logSize(_ folder: String) throws -> Int {
  let path = folder + "/library.sqlite-wal"
  return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
}

@Suite("Group commit of SQLite")
struct SQLiteGroupTests {
  private func open(_ folder: String) async throws -> SQLiteStore {
    try #require(try await SQLiteStoreOpening(busyTimeout: 0).open(folder: folder) as? SQLiteStore)
  }

  @Test("Readers see all of a group at its commit, and nothing before")
  func readers() async throws {
    let folder = try TemporaryFolder()
    let store = try await open(folder.path)
    let (_, ids) = try store.addRecord(resources: 3)
    for id in ids {
      try store.addToGroup { () throws(StoreError) in
        try store.apply([.attempted(id)])
      }
      #expect(try await store.reader.resource(ids[0])?.attempts == 0)
    }
    try store.commitGroup()
    for id in ids { #expect(try await store.reader.resource(id)?.attempts == 1) }
    await store.reader.close()
    store.close()
  }

  @Test("A group writes the pages that its parts share once")
  func sharedPages() async throws {
    let folder = try TemporaryFolder()
    let store = try await open(folder.path)
    let (_, ids) = try store.addRecord(resources: 64)
    func bytes(_ body: (ResourceChange) throws -> Void) throws -> Int {
      let before = try logSize(folder.path)
      for id in ids { try body(.attempted(id)) }
      try store.commitGroup()
      return try logSize(folder.path) - before
    }
    let single = try bytes { change in try store.apply([change]) }
    let grouped = try bytes { change in
      try store.addToGroup { () throws(StoreError) in try store.apply([change]) }
    }
    #expect(grouped > 0)
    #expect(grouped * 10 < single)
    await store.reader.close()
    store.close()
  }

  @Test("What an ending store has in a group is there when it is opened again")
  func close() async throws {
    let folder = try TemporaryFolder()
    let store = try await open(folder.path)
    let (_, ids) = try store.addRecord(resources: 1)
    try store.addToGroup { () throws(StoreError) in
      try store.apply([.attempted(ids[0])])
    }
    await store.reader.close()
    store.close()
    let again = try await open(folder.path)
    #expect(try again.resource(ids[0])?.attempts == 1)
    await again.reader.close()
    again.close()
  }

  @Test("A group that another transaction could not commit fails with its own next call")
  func failedCommit() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let opened = try await SQLiteStoreOpening(busyTimeout: 0).open(folder: path)
      let store = try #require(opened as? SQLiteStore)
      let (_, ids) = try store.addRecord(resources: 2)
      signal(SIGXFSZ, SIG_IGN)
      var usual = rlimit()
      getrlimit(__rlimit_resource_t(1), &usual)  // RLIMIT_FSIZE
      var limited = usual
      limited.rlim_cur = rlim_t(try logSize(path))
      try store.addToGroup { () throws(StoreError) in
        try store.apply([.attempted(ids[0])])
      }
      setrlimit(__rlimit_resource_t(1), &limited)
      // It commits the group, in vain, and then fails for itself.
      #expect(try errorCode { try store.apply([.attempted(ids[1])]) } == .io)
      setrlimit(__rlimit_resource_t(1), &usual)
      try store.apply([.attempted(ids[1])])
      // The error is the group's: a sync for somebody else leaves it there.
      try await store.sync()
      #expect(try errorCode { try store.commitGroup() } == .io)
      // It was told once.
      try store.commitGroup()
      #expect(try ids.map { try store.resource($0)?.attempts } == [0, 1])
      await store.reader.close()
      store.close()
    }
  }
}
