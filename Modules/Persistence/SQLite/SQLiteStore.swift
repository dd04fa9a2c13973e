import Models
import Persistence

/// A library in `library.sqlite`: one thread writes, another reads, neither waits for the other
/// (write-ahead log).
final class SQLiteStore: LibraryStore {
  private let file: LibraryFile
  let writer: DatabaseThread
  let reader: DatabaseThread

  /// The folder for the copy that a read-only store may have to read; nil for a store that writes.
  private let scratch: ScratchFolder?

  init(file: LibraryFile, writer: DatabaseThread, reader: DatabaseThread) {
    self.file = file
    self.writer = writer
    self.reader = reader
    scratch = nil
  }

  /// A store that is only looked at. Its connection may have the database to itself, so that there is
  /// no second one; what writes is refused by SQLite.
  init(file: LibraryFile, onlyReader thread: DatabaseThread, scratch: ScratchFolder) {
    self.file = file
    writer = thread
    reader = thread
    self.scratch = scratch
  }

  /// A check reads everything, so it has a connection and a thread of its own for the time it takes.
  func integrityProblems() async throws(StoreError) -> [String] {
    try await reader.read { _ throws(StoreError) in }  // `.closed`, if it is.
    guard scratch == nil else {
      return try await reader.outsideTransactions { $0.integrityProblems() }
    }
    let checker = DatabaseThread(label: "store.checker")
    try await checker.open { [file] () throws(StoreError) in try file.reader() }
    let problems = try await checker.outsideTransactions { $0.integrityProblems() }
    await checker.close()
    return problems
  }

  func libraryState() async throws(StoreError) -> LibraryState {
    try await reader.read { db throws(StoreError) in try db.libraryState() }
  }

  func setLibraryState(_ state: LibraryState) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.setLibraryState(state) }
  }

  func pageWork() async throws(StoreError) -> [PageWork] {
    try await reader.read { db throws(StoreError) in try db.pageWork() }
  }

  func setPageWork(_ work: [PageWork]) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.setPageWork(work) }
  }

  func close() async {
    await reader.close()
    await writer.close()
    scratch?.remove()
  }
}
