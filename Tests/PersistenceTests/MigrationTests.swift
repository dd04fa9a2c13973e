import Foundation
import Models
import Persistence
import PersistenceSQLite
import StoreContracts
import TestSupport
import Testing

/// A library of the present schema, and a program that knows one step more.
@Suite("A library that is brought forward")
struct MigrationTests {
  private let folder: TemporaryFolder
  private let path: String
  private let opening = SQLiteStoreOpening(busyTimeout: 1)
  private let present = Schema.version(afterSteps: Schema.steps.count)
  private let record: RecordID

  private let longer =
    Schema.steps + [
      Schema.Step("one more", "ALTER TABLE record ADD COLUMN extra INTEGER DEFAULT 5")
    ]

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.sqlite"
    let store = try await opening.open(folder: folder.path)
    let source = try store.beginSource(SourceDraft(key: "key", location: "list.csv"))
    record = try store.appendRecord(
      RecordDraft(source: source, title: "one", folder: "One"), at: .end)
    _ = try store.insertResources(makeDrafts(3), into: record, at: .end)
    try store.completeSource(source)
    await store.closeWithReader()
  }

  private func version() throws -> Int64 {
    try Connection(path, .existing, busyTimeout: 0).integer("PRAGMA user_version")
  }

  private func keepsEverything() async throws {
    let store = try await opening.open(folder: folder.path)
    #expect(try await store.reader.integrityProblems() == [])
    #expect(try store.records(offset: 0, limit: 9).map(\.title) == ["one"])
    #expect(try store.resources(of: record, offset: 0, limit: 9).map(\.index) == [1, 2, 3])
    await store.closeWithReader()
  }

  @Test("It has its rows and what the step adds")
  func bringsForward() throws {
    let connection = try Connection(path, .existing, busyTimeout: 0)
    try Schema.bringForward(connection, steps: longer)
    #expect(try connection.integer("SELECT extra FROM record WHERE title = 'one'") == 5)
    #expect(try connection.integer("SELECT count(*) FROM resource") == 3)
    #expect(try connection.integer("PRAGMA user_version") == present + 1)
  }

  @Test("A step that fails after it leaves the library as it was")
  func failsAsAWhole() async throws {
    do {
      let connection = try Connection(path, .existing, busyTimeout: 0)
      let broken = longer + [Schema.Step("broken one", "INSERT INTO none VALUES (1)")]
      let error = #expect(throws: StoreError.self) {
        try Schema.bringForward(connection, steps: broken)
      }
      #expect(error?.detail.contains("\"broken one\"") == true)
    }
    #expect(try version() == present)
    try await keepsEverything()
  }

  @Test("A program that does not know the step refuses what was brought forward")
  func olderProgram() throws {
    let connection = try Connection(path, .existing, busyTimeout: 0)
    try Schema.bringForward(connection, steps: longer)
    let error = #expect(throws: StoreError.self) { try Schema.bringForward(connection) }
    #expect(error?.code == .newerSchema)
    #expect(error?.detail.hasPrefix(path) == true)
  }

  @Test("Locked by another process it is busy, and stays as it was")
  func locked() async throws {
    let other = try Connection(path, .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    let connection = try Connection(path, .existing, busyTimeout: 0)
    let error = #expect(throws: StoreError.self) {
      try Schema.bringForward(connection, steps: longer)
    }
    #expect(error?.code == .busy)
    try other.execute("ROLLBACK")
    #expect(try version() == present)
    try await keepsEverything()
  }

  @Test(
    "A damaged one is refused, or what was damaged is found",
    arguments: 1...30 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) async throws {
    let file = URL(fileURLWithPath: path)
    var content = try Data(contentsOf: file)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let place = Int.random(in: 0..<content.count, using: &generator)
      content[place] ^= UInt8.random(in: 1...255, using: &generator)
    }
    try content.write(to: file)
    let code = try await errorCode(opening: {
      let store = try await opening.open(folder: folder.path)
      _ = try await store.reader.integrityProblems()
      await store.closeWithReader()
    })
    #expect([nil, .damaged, .newerSchema, .olderSchema].contains(code), "\(code as Any)")
    if code != nil { #expect(try Data(contentsOf: file) == content) }
  }
}
