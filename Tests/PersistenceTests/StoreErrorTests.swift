import Glibc
import Models
import Persistence
import PersistenceSQLite
import TestSupport
import Testing

@Suite("Errors of SQLite in words")
struct StoreErrorTests {
  @Test(
    "Each result and errno has its code",
    arguments: [
      // result, errno, code; the numbers are SQLite's (extended) result codes.
      (13, 0, .diskFull), (10 | 3 << 8, ENOSPC, .diskFull), (10 | 3 << 8, EDQUOT, .diskFull),
      (14, ENOSPC, .diskFull), (10 | 4 << 8, EIO, .io), (10, 0, .io), (14, ENOENT, .io),
      (14, ENOTDIR, .io), (14, EACCES, .readOnly), (14, EROFS, .readOnly), (14, EPERM, .readOnly),
      (8, 0, .readOnly), (8 | 6 << 8, 0, .readOnly), (8 | 4 << 8, 0, .io), (3, 0, .readOnly),
      (5, 0, .busy), (5 | 1 << 8, 0, .busy), (6, 0, .busy), (11, 0, .damaged),
      (11 | 2 << 8, EIO, .damaged), (26, 0, .damaged), (1, 0, .internal), (19, 0, .internal),
      (7, 0, .internal), (21, 0, .internal), (9_999, 0, .internal), (-1, 0, .internal),
    ] as [(Int32, Int32, StoreError.Code)])
  func code(result: Int32, systemError: Int32, code: StoreError.Code) {
    #expect(StoreError.Code(result: result, systemError: systemError) == code)
  }

  @Test("The text names the file and the cause")
  func text() {
    func text(_ result: Int32, _ systemError: Int32) -> String {
      StoreError(path: "/l/library.sqlite", result: result, systemError: systemError, message: "m")
        .description
    }
    #expect(text(13, 0) == "/l/library.sqlite: the disk is full")
    #expect(text(14, EROFS) == "/l/library.sqlite: cannot be written: read-only, or no permission")
    #expect(text(5, 0) == "/l/library.sqlite: locked by another process")
    #expect(text(26, 0) == "/l/library.sqlite: damaged: m")
    #expect(text(10, EIO) == "/l/library.sqlite: m: Input/output error")
    #expect(text(1, EIO) == "/l/library.sqlite: m")
  }

  @Test("A database that may not grow is full; the transaction is undone and the rest goes on")
  func full() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.path + "/t.sqlite", .create, busyTimeout: 0)
    try connection.execute("CREATE TABLE t (x BLOB); PRAGMA max_page_count = 10")
    let error = #expect(throws: StoreError.self) {
      try connection.run("INSERT INTO t VALUES (zeroblob(1000000))")
    }
    #expect(error?.code == .diskFull)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    try connection.run("INSERT INTO t VALUES (?1)", 5)
    #expect(try connection.integer("SELECT x FROM t") == 5)
  }

  @Test("A write that fails in COMMIT names what the system said, which SQLite forgets")
  func failedCommit() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t.sqlite"
    await #expect(processExitsWith: .success) { [path = path as String] in
      let connection = try Connection(path, .create, busyTimeout: 0)
      try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x BLOB)")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
      setrlimit(__rlimit_resource_t(1), &limit)  // RLIMIT_FSIZE
      let error = #expect(throws: StoreError.self) {
        try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
      }
      #expect(error?.code == .io)
      #expect(error?.description.hasSuffix(": File too large") == true)
    }
  }

  @Test(
    "Request fields come back as they went in",
    arguments: [
      [], [("", "")], [("a", "b")], [("a:b", "c:d")], [("a\nb", "c\nd"), ("\\", "\\n")],
      [("", ":"), (":", "")], [("é\r\n", "\u{0}"), ("\\c", "\\\\")],
    ] as [[(String, String)]])
  func fields(pairs: [(String, String)]) {
    let fields = HTTPFields(pairs.map { HTTPFields.Field(name: $0.0, value: $0.1) })
    let text = FieldsText.encode(fields)
    #expect(FieldsText.decode(text) == fields)
    #expect((text ?? "").split(separator: "\n").count <= pairs.count)
  }
}
