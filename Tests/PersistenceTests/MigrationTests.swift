import Foundation
import Models
import Persistence
import PersistenceSQLite
import Testing

/// A library as the program with schema step 1 left it.
private let firstLibrary = """
  UPDATE sequence SET last = 3 WHERE name = 'source';
  UPDATE sequence SET last = 5 WHERE name = 'record';
  UPDATE sequence SET last = 9 WHERE name = 'resource';
  INSERT INTO source VALUES (1, 'key', 'list.csv', 1), (3, 'open', 'list.zip', 0);
  INSERT INTO record (id, source, position, title, folder, folder_key, paused,
      queued, stored, fetched, finished, failed, bytes, first_resource, last_resource) VALUES
    (2, 1, 1, 'one', 'One', 'one', 1, 1, 0, 0, 1, 1, 70, 4, 6),
    (4, 1, 3, 'empty', 'Empty', 'empty', 0, 0, 0, 0, 0, 0, 0, NULL, NULL),
    (5, 3, NULL, 'open', 'Open', 'open', 0, 1, 0, 0, 0, 0, 0, 9, 9);
  INSERT INTO resource (id, record, position, state, attempts, page_count, url, reason) VALUES
    (4, 2, 1, 3, 1, 1, 'https://example.com/1.jpg', 'no preview'),
    (5, 2, 2, 4, 3, 0, 'https://example.com/2.jpg', 'HTTP 404'),
    (6, 2, 3, 0, 1, 0, 'https://example.com/3.jpg', NULL),
    (9, 5, 1, 0, 0, 0, 'https://example.com/4.jpg', NULL);
  INSERT INTO file (resource, name, bytes, digest, format, media_type, connect_ms)
    VALUES (4, '1-1.jpg', 70, zeroblob(32), 'jpeg', 'image/jpeg', 1.5);
  INSERT INTO page VALUES (4, 1, 640, 480, NULL, NULL, 'ab/cd-p1-256.jpg', NULL);
  INSERT INTO partial VALUES (6, '"a"', NULL, 1000, 'boot', 10);
  """

@Suite("A library of schema 1")
struct MigrationTests {
  private let folder: TemporaryFolder
  private let path: String
  private let opening = SQLiteStoreOpening(busyTimeout: 1)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.sqlite"
    let connection = try Connection(path, .create, busyTimeout: 0)
    try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
    try Schema.migrate(connection, from: 0, steps: Array(Schema.steps.prefix(1)))
    _ = try connection.first("PRAGMA journal_mode = WAL") { row throws(StoreError) in row.text() }
    try connection.execute("PRAGMA foreign_keys = ON; \(firstLibrary)")
  }

  private func version() throws -> Int64 {
    try Connection(path, .existing, busyTimeout: 0).integer("PRAGMA user_version")
  }

  @Test("Everything is there but partial data, which was a resource's and is a request's now")
  func keepsEverything() async throws {
    let store = try await opening.open(folder: folder.path)
    #expect(try await store.integrityProblems() == [])
    let records = try await store.records(offset: 0, limit: 9)
    #expect(records.map(\.title) == ["one", "empty"])
    let one = try #require(records.first)
    #expect(one.isPaused && !one.isLazy && one.priority == .normal && one.folder == "One")
    #expect(one.source == SourceID(1) && one.counts.total == 3 && one.counts.bytes == 70)
    let resources = try await store.resources(of: one.id, offset: 0, limit: 9)
    #expect(resources.map(\.index) == [1, 2, 3])
    #expect(resources.map(\.state) == [.finished, .failed, .queued])
    #expect(resources.map(\.reason) == ["no preview", "HTTP 404", nil])
    #expect(resources.allSatisfy { !$0.mustReload })
    var file = StoredFile(
      name: "1-1.jpg", byteCount: 70, digest: Digest(words: (0, 0, 0, 0)), format: .jpeg,
      mediaType: "image/jpeg")
    file.timings.connect = 1.5
    #expect(resources.map(\.file) == [file, nil, nil])
    #expect(try await store.pages(of: ResourceID(4)).map(\.thumbnail) == ["ab/cd-p1-256.jpg"])
    let holders = try await store.holders(of: [file.digest], limit: 9)
    #expect(holders[file.digest]?.map(\.resource) == [ResourceID(4)])
    #expect(try await store.partials() == [])
    let source = SourceRow(id: SourceID(1), draft: SourceDraft(key: "key", location: "list.csv"))
    #expect(try await store.source(key: "key") == source)
    #expect(try await store.incompleteSources().map(\.key) == ["open"])
    #expect(try await store.libraryState() == LibraryState())
    #expect(try await store.size(of: .renditions) == CacheSize())
    await store.close()
  }

  @Test("It goes on where it was: ids, numbers, order and removals")
  func goesOn() async throws {
    let store = try await opening.open(folder: folder.path)
    #expect(try await store.lastResource() == ResourceID(9))
    let one = RecordID(2)
    let range = try await store.insertResources(makeDrafts(1), into: one, at: .top)
    #expect(range.first == ResourceID(10))
    _ = try await store.insertResources(makeDrafts(1), into: RecordID(4), at: .end)
    #expect(
      try await store.resources(of: one, offset: 0, limit: 9).map(\.index) == [4, 1, 2, 3])
    #expect(
      try await store.appendRecord(
        RecordDraft(source: SourceID(1), title: "top", folder: "top"), at: .top) == RecordID(6))
    #expect(try await store.looseRecord(folder: "loose").id == RecordID(7))
    try await store.completeSource(SourceID(3))
    #expect(
      try await store.records(offset: 0, limit: 9).map(\.title) == ["top", "one", "empty", "open"])
    try await store.setPaused(false, record: one)
    let queue = try await store.resources(in: .queued, after: nil, limit: 9).map(\.id.rawValue)
    #expect(queue == [6, 9, 10, 11])
    try await store.apply(
      [.confirmed(ResourceID(4), makeAnswer(1)), .removed(ResourceID(5))], durable: true)
    #expect(try await store.answers(to: [makeRequest(1)]).count == 1)
    #expect(try await store.requeueAll(of: one) == 3)
    #expect(try await store.integrityProblems() == [])
    try await store.discardSource(SourceID(1))
    #expect(try await store.integrityProblems() == [])
    await store.close()
  }

  @Test("A step that fails after it leaves the library as it was")
  func failsAsAWhole() async throws {
    do {
      let connection = try Connection(path, .existing, busyTimeout: 0)
      let broken = Schema.steps + [Schema.Step("broken one", "INSERT INTO none VALUES (1)")]
      let error = #expect(throws: StoreError.self) {
        try Schema.bringForward(connection, steps: broken)
      }
      #expect(error?.detail.contains("\"broken one\"") == true)
      #expect(try connection.integer("SELECT resource FROM partial") == 6)
      #expect(try connection.integer("SELECT count(*) FROM record") == 3)
    }
    #expect(try version() == 1)
    try await keepsEverything()
    #expect(try version() == Schema.steps.count)
  }

  @Test("A program that knows schema 1 only refuses what was brought forward")
  func olderProgram() async throws {
    await (try opening.open(folder: folder.path)).close()
    let connection = try Connection(path, .existing, busyTimeout: 0)
    let error = #expect(throws: StoreError.self) {
      try Schema.bringForward(connection, steps: Array(Schema.steps.prefix(1)))
    }
    #expect(error?.code == .newerSchema)
    #expect(error?.detail.hasPrefix(path) == true)
  }

  @Test("Locked by another process it is busy, and stays as it was")
  func locked() async throws {
    let other = try Connection(path, .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    #expect(
      try await errorCode { _ = try await opening.open(folder: folder.path) } == .busy)
    try other.execute("ROLLBACK")
    #expect(try version() == 1)
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
    let code = try await errorCode {
      let store = try await opening.open(folder: folder.path)
      _ = try await store.integrityProblems()
      await store.close()
    }
    #expect([nil, .damaged, .newerSchema].contains(code), "\(code as Any)")
    if code != nil { #expect(try Data(contentsOf: file) == content) }
  }
}
