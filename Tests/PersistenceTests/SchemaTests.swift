import Persistence
import PersistenceSQLite
import StoreContracts
import TestSupport
import Testing

@Suite("Migrations")
struct SchemaTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/test.sqlite"
  }

  private let steps = [
    Schema.Step("first", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)"),
    Schema.Step("second", "CREATE TABLE b (x INTEGER); INSERT INTO b SELECT x + 1 FROM a"),
    Schema.Step("third", "UPDATE a SET x = (SELECT x + 1 FROM b)"),
  ]

  private func version(_ connection: Connection) throws -> Int64 {
    try connection.integer("PRAGMA user_version")
  }

  @Test("Steps run forward, in order, and only those that are missing", arguments: 1...3)
  func runsForward(from known: Int) throws {
    let connection = try Connection(path, .create, busyTimeout: 0)
    try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
    try Schema.migrate(connection, from: 0, steps: Array(steps.prefix(known)))
    #expect(try version(connection) == Schema.version(afterSteps: known))
    try Schema.bringForward(connection, steps: steps)
    try Schema.bringForward(connection, steps: steps)
    #expect(try version(connection) == Schema.version(afterSteps: 3))
    #expect(try connection.integer("SELECT x FROM a") == 3)
    #expect(try connection.integer("SELECT count(*) FROM b") == 1)
  }

  @Test("A step that fails undoes all steps of the run and is named")
  func failsAsAWhole() throws {
    let connection = try Connection(path, .create, busyTimeout: 0)
    try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
    try Schema.migrate(connection, from: 0, steps: [steps[0]])
    let broken = [steps[0], steps[1], Schema.Step("broken one", "INSERT INTO c VALUES (1)")]
    let error = #expect(throws: StoreError.self) {
      try Schema.bringForward(connection, steps: broken)
    }
    #expect(error?.detail.contains("\"broken one\"") == true)
    #expect(try version(connection) == Schema.version(afterSteps: 1))
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") == 0)
  }

  @Test("A new library is what all steps make of an empty one, in tables, indexes and first rows")
  func newLibrary() throws {
    let new = try Connection(path, .create, busyTimeout: 0)
    try Schema.create(new)
    let stepped = try Connection(folder.path + "/stepped.sqlite", .create, busyTimeout: 0)
    try stepped.execute("PRAGMA application_id = \(Schema.applicationID)")
    try Schema.migrate(stepped, from: 0)
    let (made, expected) = (try content(of: new), try content(of: stepped))
    #expect(made == expected)
    #expect(made.count > 20)
    #expect(try version(new) == Schema.version(afterSteps: Schema.steps.count))
    #expect(try new.integer("PRAGMA application_id") == Schema.applicationID)
    try Schema.bringForward(new)
  }

  /// All of the schema, spelled without white space and quotation marks, and all rows there are.
  private func content(of connection: Connection) throws -> [String] {
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ) { row throws(StoreError) in row.text() }
    let schema = try connection.rows(
      """
      SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name
      """
    ) { row throws(StoreError) in row.text().filter { !$0.isWhitespace && $0 != "\"" } }
    return try schema
      + tables.flatMap { table in
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") {
          row throws(StoreError) in "quote(\(row.text()))"
        }
        return try connection.rows(
          "SELECT \(columns.joined(separator: " || ',' || ")) AS row FROM \(table) ORDER BY row"
        ) { row throws(StoreError) in "\(table): \(row.text())" }
      }
  }

  @Test("What is asked for often uses its index and never sorts")
  func plans() async throws {
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    await store.closeWithReader()
    let connection = try Connection(
      folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    let queries = [
      "SELECT url FROM resource INDEXED BY resource_queue WHERE record = 1 AND state = 0 AND state <> 3 AND id NOT IN (SELECT resource FROM stored) AND id > 5 ORDER BY id LIMIT 9":
        "resource_queue (record=? AND state=? AND rowid>?)",
      "SELECT url FROM resource WHERE record = 1 AND position >= 5 ORDER BY position LIMIT 9":
        "resource_order (record=? AND position>?)",
      "SELECT id FROM record WHERE queued > 0 AND last_resource > 3 AND (position IS NOT NULL OR (kind = 1 AND removed = 0)) AND paused = 0 AND lazy = 0 AND priority = 1 ORDER BY first_resource":
        "record_waiting",
      "SELECT id FROM resource INDEXED BY resource_named WHERE record = 1 AND named = 1":
        "USING INDEX resource_named (record=?)",
      "SELECT id FROM record WHERE kind = 1 AND removed = 0": "record_standalone",
      "\(existingFile) AND file.request_key = ?1 AND file.request = ?2 ORDER BY file.as_of DESC, file.resource DESC LIMIT 1":
        "file_request (request_key=?)",
      "\(existingFile) AND file.digest_key = ?1 AND file.digest = ?2 ORDER BY file.resource DESC LIMIT 9":
        "file_digest (digest_key=?)",
      "\(asked) number IN (SELECT request_key FROM file)":
        "USING INDEX file_request FOR IN-OPERATOR",
      "\(asked) number IN (SELECT digest_key FROM file)":
        "USING INDEX file_digest FOR IN-OPERATOR",
      "SELECT name, bytes FROM cache_entry WHERE cache = 1 ORDER BY used": "cache_order (cache=?)",
    ]
    for (query, index) in queries {
      let plan = try connection.rows("EXPLAIN QUERY PLAN \(query)") { row throws(StoreError) in
        for _ in 0..<3 { _ = row.integer() }
        return row.text()
      }.joined(separator: "; ")
      #expect(plan.contains(index), "\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }

  private let asked = "WITH asked (number) AS (VALUES (1), (2)) SELECT number FROM asked WHERE"
  private let existingFile = """
    SELECT file.name FROM file JOIN resource ON resource.id = file.resource
      JOIN record ON record.id = resource.record
    WHERE resource.id NOT IN (SELECT resource FROM stored) AND (record.position IS NOT NULL OR (record.kind = 1 AND record.removed = 0))
    """
}
