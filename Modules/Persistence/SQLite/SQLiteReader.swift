package import Persistence
import Threading

/// Reads a library on a thread of its own, either concurrently with the writing store or without a store.
package actor SQLiteReader: LibraryReader {
  private let file: LibraryFile
  private let executor: BlockingExecutor
  private var connection: Connection?
  /// The folder for the copy of a library that cannot be written; nil if the reader was opened with a store.
  private var scratch: ScratchFolder?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(of file: LibraryFile, label: String = "store.reader") {
    self.file = file
    executor = BlockingExecutor(label)
  }

  /// Opens the writing store and this reader, on the reader's thread. Creates the library if it is missing.
  package func openStore() throws(StoreError) -> sending SQLiteStore {
    let store = try file.store(with: self)
    connection = try file.reader()
    return store
  }

  /// Opens this reader without a store, for a library that cannot be written.
  func open() throws(StoreError) {
    let scratch = ScratchFolder()
    connection = try file.openReadOnly(copyingTo: scratch)
    self.scratch = scratch
  }

  package func read<Value: Sendable>(
    _ body: @Sendable (any LibraryRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let connection = try opened()
    return try connection.transaction(.reading) { () throws(StoreError) in
      try body(ReadingQueries(connection))
    }
  }

  /// Runs the checks on a separate connection and thread, since they read the whole database. For a library
  /// that cannot be written, the checks use this reader's connection, which may have locked the database
  /// exclusively.
  package func integrityProblems() async throws(StoreError) -> [String] {
    let connection = try opened()
    guard scratch == nil else { return IntegrityCheck(connection: connection).problems() }
    return try await SQLiteReader(of: file, label: "store.checker").check()
  }

  private func check() throws(StoreError) -> [String] {
    try IntegrityCheck(connection: file.reader()).problems()
  }

  package func close() {
    connection?.close()
    connection = nil
    scratch?.remove()
  }

  private func opened() throws(StoreError) -> Connection {
    guard let connection else { throw StoreError(.closed, "the library is closed") }
    return connection
  }
}
