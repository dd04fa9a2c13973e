import Foundation
import Models
import Persistence
import PersistenceSQLite
import StoreContracts
import TestSupport
import Testing

@Suite("Opening library.sqlite")
struct SQLiteOpeningTests {
  private let folder: TemporaryFolder
  private let file: String
  private let opening = SQLiteStoreOpening(busyTimeout: 1)

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path + "/library.sqlite"
  }

  /// A closed library with 2,000 resources.
  private func makeLibrary() async throws {
    let store = try await opening.open(folder: folder.path)
    let (_, ids) = try store.addRecord(resources: 2_000)
    try store.apply(
      ids.map { .stored($0, makeFile(answer: makeAnswer(UInt64($0.rawValue)))) }
        + (0..<200).map { .partial(makeRequest($0), anyPartial) })
    try store.use(
      (0..<500).map { CacheEntry(name: "rendition \($0)", bytes: 1) }, in: .renditions)
    _ = try store.standaloneRecord(folder: "standalone")
    await store.closeWithReader()
  }

  @Test("A path that is too long for SQLite is refused with its length and the limit")
  func longPath() async throws {
    func makeFolder(length: Int) throws -> String {
      var path = folder.path
      while path.utf8.count + 101 < length { path += "/" + String(repeating: "x", count: 100) }
      path += "/" + String(repeating: "y", count: length - path.utf8.count - 1)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      return path
    }
    // A new database is made as library.sqlite.new.
    let longest = Connection.maximumPathLength - "/library.sqlite.new".utf8.count
    await (try opening.open(folder: try makeFolder(length: longest))).closeWithReader()
    let tooLong = try makeFolder(length: longest + 1)
    let error = await #expect(throws: StoreError.self) {
      _ = try await opening.open(folder: tooLong)
    }
    #expect(error?.code == .io)
    #expect(error?.detail.contains("has 505 bytes, and SQLite opens paths of at most 504") == true)
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

  private func refusal() async throws -> StoreError? {
    do {
      await (try opening.open(folder: folder.path)).closeWithReader()
      return nil
    } catch {
      return error
    }
  }

  @Test("What was written is there after closing and opening, and nothing lies beside the file")
  func reopens() async throws {
    try await makeLibrary()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["library.sqlite"])
    let store = try await opening.open(folder: folder.path)
    #expect(try store.totals().stored == 2_000)
    #expect(try store.totals().bytes == 200_000)
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
  }

  @Test("A library that is looked at is read and checked, and stays as it is")
  func looked() async throws {
    try await makeLibrary()
    let before = try bytes()
    let reader = try await opening.openForReading(folder: folder.path)
    #expect(try await reader.totals().stored == 2_000)
    #expect(try await reader.integrityProblems() == [])
    await reader.close()
    #expect(try await errorCode(opening: { _ = try await reader.totals() }) == .closed)
    #expect(
      try await errorCode(opening: { _ = try await reader.integrityProblems() }) == .closed)
    #expect(try bytes() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["library.sqlite"])
    let none = try await errorCode(opening: {
      _ = try await opening.openForReading(folder: folder.path + "/none")
    })
    #expect(none == .io)
  }

  @Test("The rest of an interrupted start is replaced")
  func interruptedStart() async throws {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      try Data("half".utf8).write(to: URL(fileURLWithPath: file + ".new" + suffix))
    }
    try await makeLibrary()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["library.sqlite"])
  }

  @Test("What a start left of a draft goes, also when the library was made")
  func leftDraft() async throws {
    try await makeLibrary()
    try Data("half".utf8).write(to: URL(fileURLWithPath: file + ".new-journal"))
    await (try opening.open(folder: folder.path)).closeWithReader()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["library.sqlite"])
  }

  @Test("Two starts at once in an empty folder share one library")
  func startsTogether() async throws {
    let (opening, path) = (SQLiteStoreOpening(), folder.path)
    try await withThrowingTaskGroup(of: StoreOwner.self) { group in
      for index in 0..<4 {
        group.addTask {
          let owner = StoreOwner(try await opening.open(folder: path))
          _ = try await owner.run { store throws(StoreError) in
            try store.addRecord("record \(index)", resources: 1).record
          }
          return owner
        }
      }
      for try await owner in group { await owner.close() }
    }
    let store = try await opening.open(folder: path)
    #expect(try store.recordCount() == 4)
    await store.closeWithReader()
  }

  @Test("A schema from the future is refused with both numbers, and stays as it is")
  func newerSchema() async throws {
    try await makeLibrary()
    do {
      let connection = try Connection(file, .existing, busyTimeout: 0)
      try connection.execute("PRAGMA user_version = 99")
    }
    let before = try bytes()
    let error = try #require(try await refusal())
    #expect(error.code == .newerSchema)
    #expect(error.detail.contains("its schema is 99"))
    #expect(error.detail.contains("up to \(Schema.version(afterSteps: Schema.steps.count))"))
    #expect(error.detail.hasPrefix(file))
    #expect(try bytes() == before)
  }

  @Test("A schema that was never released is refused, and stays as it is", arguments: 1...6)
  func olderSchema(number: Int) async throws {
    try await makeLibrary()
    do {
      let connection = try Connection(file, .existing, busyTimeout: 0)
      try connection.execute("PRAGMA user_version = \(number)")
    }
    let before = try bytes()
    let error = try #require(try await refusal())
    #expect(error.code == .olderSchema)
    #expect(error.detail.hasPrefix(file))
    #expect(try bytes() == before)
  }

  @Test("A database of another program is refused")
  func otherProgram() async throws {
    do {
      let connection = try Connection(file, .create, busyTimeout: 0)
      try connection.execute("CREATE TABLE t (a); PRAGMA user_version = 1")
    }
    let before = try bytes()
    #expect(try await refusal()?.code == .damaged)
    #expect(try bytes() == before)
  }

  @Test(
    "A damaged file is refused and stays as it is",
    arguments: ["empty", "text", "header", "half", "one byte short", "99 percent"])
  func damaged(how: String) async throws {
    try await makeLibrary()
    var content = try bytes()
    switch how {
    case "empty": content = Data()
    case "text": content = Data("not a database, but long enough to be one".utf8)
    case "header": content[3] ^= 0xff
    case "half": content = content.prefix(content.count / 2)
    case "one byte short": content = content.dropLast()
    default: content = content.prefix(content.count / 100 * 99)
    }
    try content.write(to: URL(fileURLWithPath: file))
    let error = try #require(try await refusal())
    #expect(error.code == .damaged)
    #expect(error.detail.hasPrefix(file + ": damaged"))
    #expect(try bytes() == content)
  }

  @Test("A folder or a pipe in the place of the file is refused without waiting for it")
  func notAFile() async throws {
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    #expect(try await refusal()?.code == .damaged)
    try FileManager.default.removeItem(atPath: file)
    try #require(mkfifo(file, 0o600) == 0)
    #expect(try await refusal()?.code == .damaged)
  }

  @Test("A lost log is refused as long as its index shows that there was one")
  func lostLog() async throws {
    try await makeLibrary()
    try Data(count: 32_768).write(to: URL(fileURLWithPath: file + "-shm"))
    let error = try #require(try await refusal())
    #expect(error.code == .damaged)
    #expect(error.detail.contains("library.sqlite-wal is missing"))
    try FileManager.default.removeItem(atPath: file + "-shm")
    #expect(try await refusal() == nil)
  }

  @Test("A folder that is not there, or is no folder, is an error that names the file")
  func noFolder() async throws {
    for path in [folder.path + "/none", "/dev/null", "/proc/self/fdinfo"] {
      let code = try await errorCode(opening: { _ = try await opening.open(folder: path) })
      #expect(code == .io, "\(path)")
    }
  }

  @Test("A library that another process has for itself is busy, and opens once it is free")
  func lockedAtOpening() async throws {
    try await makeLibrary()
    do {
      let other = try Connection(file, .existing, busyTimeout: 0)
      try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT")
      let error = try #require(try await refusal())
      #expect(error.code == .busy)
      #expect(error.detail == "\(file): locked by another process")
    }
    #expect(try await refusal() == nil)
  }

  @Test("A lock of another process is waited for, then reported as busy")
  func busy() async throws {
    let store = try await opening.open(folder: folder.path)
    let (_, ids) = try store.addRecord(resources: 1)
    let other = try Connection(file, .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    let code = try errorCode { try store.apply([.attempted(ids[0])]) }
    #expect(code == .busy)
    #expect(try store.resource(ids[0])?.attempts == 0)
    try other.execute("ROLLBACK")
    try store.apply([.attempted(ids[0])])
    #expect(try store.resource(ids[0])?.attempts == 1)
    await store.closeWithReader()
  }

  @Test(
    "With any flipped bytes, a call answers or reports that the library is damaged",
    arguments: 1...40 as ClosedRange<UInt64>)
  func flippedBytes(seed: UInt64) async throws {
    try await makeLibrary()
    var content = try bytes()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(seed % 2 == 0 ? content.count / 100 : 20) {
      let place = Int.random(in: 0..<content.count, using: &generator)
      content[place] ^= UInt8.random(in: 1...255, using: &generator)
    }
    try content.write(to: URL(fileURLWithPath: file))
    var codes: Set<StoreError.Code> = []
    func note(_ call: () throws -> Void) throws {
      if let code = try errorCode(call) { codes.insert(code) }
    }
    let code = try await errorCode(opening: {
      let store = try await opening.open(folder: folder.path)
      try note { _ = try store.records(offset: 0, limit: 10) }
      try note { _ = try store.resources(of: RecordID(1), offset: 0, limit: 5_000) }
      try note { _ = try store.resources(in: .stored, after: nil, limit: 5_000) }
      try note { _ = try store.apply([.fetched(ResourceID(1_000))]) }
      try note { _ = try store.answers(to: (0..<500).map { makeRequest($0) }) }
      try note { _ = try store.holders(of: [makeDigest(1)], limit: 5_000) }
      try note { _ = try store.partials() }
      try note { _ = try store.partial(of: makeRequest(5)) }
      try note {
        _ = try store.overflow(of: .renditions, count: 0, bytes: 0, limit: 500)
      }
      try note { try store.touch(["rendition 7"], in: .renditions) }
      try note { _ = try store.standaloneRecord(folder: "standalone") }
      try note { _ = try store.libraryState() }
      try note {
        _ = try store.insertResources(makeDrafts(2), into: RecordID(1), at: .top)
      }
      #expect(try await store.reader.integrityProblems() != [])
      await store.closeWithReader()
    })
    if let code { codes.insert(code) }
    #expect(codes.isSubset(of: [.damaged, .newerSchema, .olderSchema]), "\(codes)")
  }
}
