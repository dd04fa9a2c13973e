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

  @Test("A library without marks of named resources has none, and gets them from a retry")
  func unmarked() async throws {
    let count = try #require(Schema.steps.firstIndex { $0.name == "resource_named" })
    let older = try TemporaryFolder()
    do {
      let connection = try Connection(older.path + "/library.sqlite", .create, busyTimeout: 0)
      try connection.execute(
        "PRAGMA journal_mode = WAL; PRAGMA application_id = \(Schema.applicationID)")
      try Schema.migrate(connection, from: 0, steps: Array(Schema.steps.prefix(count)))
      try connection.execute(
        """
        INSERT INTO source (id, key, location, complete, lazy) VALUES (1, 'k', 'l', 1, 1);
        INSERT INTO record (id, source, position, title, folder, folder_key, lazy, queued, failed, numbered,
          first_resource, last_resource) VALUES (1, 1, 1, 'lazy', 'lazy', 'lazy', 1, 2, 1, 3, 1, 3);
        INSERT INTO resource (id, record, position, state, url, reason)
          VALUES (1, 1, 1, 0, 'http://h/1', NULL), (2, 1, 2, 4, 'http://h/2', 'gone'),
            (3, 1, 3, 0, 'http://h/3', NULL);
        UPDATE sequence SET last = 1 WHERE name <> 'resource';
        UPDATE sequence SET last = 3 WHERE name = 'resource'
        """)
      #expect(
        try connection.integer("PRAGMA user_version") == Schema.version(afterSteps: count))
    }
    let store = try await opening.open(folder: older.path)
    #expect(try await store.reader.integrityProblems() == [])
    #expect(try store.totals().named == 0 && store.totals().queued == 2)
    #expect(try store.namedResources(of: RecordID(1)) == [])
    #expect(try store.perform(.retry(processing: ""), on: RecordID(1)) == 1)
    #expect(try store.namedResources(of: RecordID(1)) == [ResourceID(2)])
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
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
