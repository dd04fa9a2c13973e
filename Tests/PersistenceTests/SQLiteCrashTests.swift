import Foundation
import Models
import Persistence
import PersistenceSQLite
import StoreContracts
import TestSupport
import Testing

@Suite("Crashes")
struct SQLiteCrashTests {
  @Test(
    "A copy of the open library has every durable change", arguments: 1...6 as ClosedRange<UInt64>)
  func copyOfOpenLibrary(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (_, ids) = try store.addRecord(resources: 3_000)
    var generator = SeededGenerator(seed: seed)
    let changed = ids.prefix(Int.random(in: 1...3_000, using: &generator))
    for start in stride(from: 0, to: changed.count, by: 100) {
      let batch = changed[start..<min(start + 100, changed.count)]
      try store.apply(batch.map { .stored($0, makeFile()) })
    }
    let copy = try TemporaryFolder()
    // By another process: closing a descriptor here would drop the locks that SQLite holds.
    try run("/bin/cp", ["-r", folder.path + "/.", copy.path])
    let restored = try await SQLiteStoreOpening().open(folder: copy.path)
    #expect(try restored.totals().stored == changed.count)
    #expect(try await restored.reader.integrityProblems() == [])
    await restored.closeWithReader()
    await store.closeWithReader()
  }

  @Test(
    "Killed at any moment, a library has every change that was acknowledged and is intact",
    arguments: [1, 7, 40, 200, 777])
  func killed(after acknowledgements: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, limit = acknowledgements as Int] in
      try await writeUntilKilled(in: path, after: limit)
    }
    let acknowledged = try Data(contentsOf: URL(fileURLWithPath: path + "/acknowledged")).count
    #expect(acknowledged >= acknowledgements)
    let store = try await SQLiteStoreOpening().open(folder: path)
    let attempts = try store.resources(in: .queued, after: nil, limit: 8).map(\.attempts)
    #expect(attempts.reduce(0, +) >= acknowledged)
    let partials = try store.partials()
    #expect(Set(partials).isSubset(of: (0..<8).map { makeRequest($0) }))
    #expect(try store.size(of: .renditions).count <= 40)
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
  }

  /// What the disk has cannot be seen without a power cut; which level the commit ran with can.
  @Test("No transaction waits for the disk, neither the outer one nor what is inside")
  func levels() async throws {
    let folder = try TemporaryFolder()
    let reader = SQLiteReader(of: LibraryFile(folder: folder.path, busyTimeout: 600_000))
    let store = try await reader.openStore()
    let (outer, inner) = try store.transaction { () throws(StoreError) in
      let outer = try store.connection.integer("PRAGMA synchronous")
      let inner = try store.transaction { () throws(StoreError) in
        try store.connection.integer("PRAGMA synchronous")
      }
      return (outer, inner)
    }
    #expect(outer == 1 && inner == 1)
    await store.closeWithReader()
  }

  @Test("A library or a folder that may not be written is read-only, and says so")
  func readOnly() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let store = try await SQLiteStoreOpening().open(folder: path)
    _ = try store.addRecord(resources: 1)
    await store.closeWithReader()
    let empty = path + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    for (name, mode) in [("", 0o555), ("/empty", 0o555), ("/library.sqlite", 0o444)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + name)
    }
    // In a process of its own, because root may write anywhere and has to become somebody else.
    await #expect(processExitsWith: .success) { [path = path as String, empty = empty as String] in
      if getuid() == 0 { try #require(setuid(65_534) == 0) }
      for folder in [path, empty] {
        do throws(StoreError) {
          await (try await SQLiteStoreOpening().open(folder: folder)).closeWithReader()
          Issue.record("\(folder) was opened")
        } catch {
          #expect(error.code == .readOnly, "\(error)")
          #expect(error.detail.hasPrefix(folder + "/library.sqlite: cannot be written"))
        }
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = try Process.run(URL(fileURLWithPath: program), arguments: arguments)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}

/// Writes for eight tasks, notes each change that the store acknowledged with one byte in a file, and
/// kills the process in the middle of it. A ninth task keeps the book of a cache, whose sums have to be
/// right wherever it is stopped.
private func writeUntilKilled(in folder: String, after limit: Int) async throws {
  let owner = StoreOwner(try await SQLiteStoreOpening().open(folder: folder))
  let ids = try await owner.run { store throws(StoreError) in
    try store.addRecord(resources: 8).resources
  }
  let notes = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
  let counter = Counter()
  await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      for use in 0... {
        try await owner.run { store throws(StoreError) in
          let entry = CacheEntry(name: "rendition \(use % 40)", bytes: Int64(use))
          try store.use([entry], in: .renditions)
          if use % 3 == 0 { try store.removeEntries(["rendition \(use % 7)"], in: .renditions) }
        }
      }
    }
    for (index, id) in ids.enumerated() {
      group.addTask {
        while true {
          try await owner.run { store throws(StoreError) in
            try store.apply(
              [.attempted(id), .partial(makeRequest(UInt64(index)), anyPartial)])
          }
          write(notes, "x", 1)
          if await counter.next() == limit { kill(getpid(), SIGKILL) }
        }
      }
    }
  }
}

private actor Counter {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
