import Models
import Persistence
import PersistenceSQLite
import Testing

/// A resource of each state, as the program with schema step 2 left them.
private let secondLibrary = """
  UPDATE sequence SET last = 1 WHERE name IN ('source', 'record');
  UPDATE sequence SET last = 5 WHERE name = 'resource';
  INSERT INTO source (id, key, location, complete) VALUES (1, 'key', 'list.csv', 1);
  INSERT INTO record (id, source, position, title, folder, folder_key,
      queued, stored, fetched, finished, failed, bytes, numbered, first_resource, last_resource)
    VALUES (1, 1, 1, 'one', 'One', 'one', 1, 1, 1, 1, 1, 6, 5, 1, 5);
  INSERT INTO resource (id, record, position, state, url, reason) VALUES
    (1, 1, 1, 0, 'https://example.com/1.jpg', NULL),
    (2, 1, 2, 1, 'https://example.com/2.jpg', NULL),
    (3, 1, 3, 2, 'https://example.com/3.jpg', NULL),
    (4, 1, 4, 3, 'https://example.com/4.jpg', NULL),
    (5, 1, 5, 4, 'https://example.com/5.jpg', 'HTTP 404');
  INSERT INTO file (resource, name, bytes, digest, format, request, as_of) VALUES
    (2, '2.jpg', 1, x'\(digests[0])', 'jpeg', x'\(makeRequest(2))', 5),
    (3, '3.jpg', 2, x'\(digests[1])', 'jpeg', x'\(makeRequest(3))', 5),
    (4, '4.jpg', 3, x'\(digests[2])', 'jpeg', NULL, NULL);
  """

/// All hexadecimal digits are among those that a digest is found by.
private let digests = [
  makeDigest(2), Digest(words: (0x0123_4567_0000_0000, 1, 2, 3)),
  Digest(words: (0x89ab_cdef_0000_0000, 4, 5, 6)),
]

@Suite("A library of schema 2")
struct SecondMigrationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let connection = try Connection(folder.path + "/library.sqlite", .create, busyTimeout: 0)
    try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
    try Schema.migrate(connection, from: 0, steps: Array(Schema.steps.prefix(2)))
    _ = try connection.first("PRAGMA journal_mode = WAL") { row throws(StoreError) in row.text() }
    try connection.execute("PRAGMA foreign_keys = ON; \(secondLibrary)")
  }

  @Test("Every resource is in its state, and what is stored is still to be finished")
  func keepsStates() async throws {
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    #expect(try await store.integrityProblems() == [])
    let resources = try await store.resources(of: RecordID(1), offset: 0, limit: 9)
    #expect(resources.map(\.state) == ResourceState.allCases)
    #expect(resources.map { $0.file?.name } == [nil, "2.jpg", "3.jpg", "4.jpg", nil])
    for (index, state) in ResourceState.allCases.enumerated() {
      let window = try await store.resources(in: state, after: nil, limit: 9)
      #expect(window.map(\.id.rawValue) == [Int64(index) + 1], "\(state)")
    }
    await store.close()
  }

  @Test("What is in place answers and has its content; what is stored does so once it is in place")
  func findsFiles() async throws {
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let requests = (1...4).map { makeRequest(UInt64($0)) }
    #expect(try await store.answers(to: requests).map(\.key) == [makeRequest(3)])
    #expect(
      try await Set(store.holders(of: digests, limit: 9).keys) == Set(digests[1...]))
    try await store.apply(
      [.finished(ResourceID(2), pages: [], reason: nil)], durable: true)
    #expect(try await store.answers(to: requests).count == 2)
    #expect(try await store.holders(of: digests, limit: 9).count == 3)
    #expect(try await store.record(RecordID(1))?.counts.finished == 2)
    #expect(try await store.integrityProblems() == [])
    await store.close()
  }
}
