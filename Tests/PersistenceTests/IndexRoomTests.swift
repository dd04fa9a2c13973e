import Glibc
import Models
import Persistence
import PersistenceSQLite
import StoreContracts
import SystemCalls
import TestSupport
import Testing

/// Pages beyond the end of a mapped file refuse stores, as pages do for which a copy-on-write file system has no room.
@Suite("The mapped index of the log")
struct IndexRoomTests {
  @Test(
    "A transaction without room for its index fails as on a full disk, and a later one is stored"
  )
  func refusedIndex() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteReader(of: LibraryFile(folder: folder.path, busyTimeout: 0))
      .openStore()
    let (record, ids) = try store.addRecord(resources: 1)
    try store.connection.guardIndex()
    let index = folder.path + "/library.sqlite-shm"
    try #require(truncate(index, 0) == 0)
    let code = try errorCode { try store.appendResources(makeDrafts(2), to: record) }
    #expect(code == .diskFull)
    let codeOfReading = try errorCode { _ = try store.resource(ids[0]) }
    #expect(codeOfReading == .diskFull)
    // A program that opens the database has rebuilt the index in the meantime.
    try #require(truncate(index, 32 << 10) == 0)
    try store.appendResources(makeDrafts(2), to: record)
    #expect(try store.totals().total == 3)
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
  }

  @Test("A library that another connection writes is read without an index of its own")
  func readsBesideWriter() async throws {
    let folder = try TemporaryFolder()
    let opening = SQLiteStoreOpening(busyTimeout: 1)
    let store = try await opening.open(folder: folder.path)
    _ = try store.addRecord(resources: 3)
    let reader = try await opening.openForReading(folder: folder.path)
    #expect(try await reader.totals().total == 3)
    await reader.close()
    await store.closeWithReader()
  }

  @Test("A store into a refused page of an index ends the program with exit code 6")
  func refusedStore() async {
    await #expect(processExitsWith: .exitCode(6)) {
      try storeBeyondEnd(of: "library.sqlite-shm")
    }
  }

  @Test("A store into a refused page of any other file ends the program with its signal")
  func otherFile() async {
    await #expect(processExitsWith: .signal(SIGBUS)) { try storeBeyondEnd(of: "other-shm.png") }
  }
}

/// Installs the handler, and stores a byte into a page of a mapped file that has been cut.
private func storeBeyondEnd(of name: String) throws {
  MappedFiles.exitWhenIndexIsRefused()
  let folder = try TemporaryFolder()
  let file = try FileSystem.open(
    folder.write(name, [UInt8](repeating: 1, count: 4_096)), .readingAndWriting)
  let memory = try #require(mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0))
  try #require(memory != MAP_FAILED && ftruncate(file.raw, 0) == 0)
  memory.storeBytes(of: 2, as: UInt8.self)
}
