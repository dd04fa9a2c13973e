package import Persistence
import Threading

/// Reads a library on a thread of its own, beside the store that writes or alone.
package actor SQLiteReader: LibraryReader {
  private let file: LibraryFile
  private let executor: BlockingExecutor
  private var connection: Connection?
  /// The folder for the copy that a library which cannot be written may need; nil beside a store.
  private var scratch: ScratchFolder?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(of file: LibraryFile, label: String = "store.reader") {
    self.file = file
    executor = BlockingExecutor(label)
  }

  /// Opens this reader and the store that it is beside, on the thread of the reader. Makes the library
  /// where there is none.
  package func openStore() throws(StoreError) -> sending SQLiteStore {
    let store = try file.store(with: self)
    connection = try file.reader()
    return store
  }

  /// Opens this reader to look at a library where nothing can be written.
  func open() throws(StoreError) {
    let scratch = ScratchFolder()
    connection = try file.look(copyingTo: scratch)
    self.scratch = scratch
  }

  package func read<Value: Sendable>(
    _ body: @Sendable (any LibraryRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let connection = try opened()
    return try connection.transaction(.reading) { () throws(StoreError) in try body(connection) }
  }

  /// A check reads everything, so it has a connection and a thread of its own for the time it takes; but
  /// where nothing can be written, the connection may have the database to itself.
  package func integrityProblems() async throws(StoreError) -> [String] {
    let connection = try opened()
    guard scratch == nil else { return connection.integrityProblems() }
    return try await SQLiteReader(of: file, label: "store.checker").check()
  }

  private func check() throws(StoreError) -> [String] { try file.reader().integrityProblems() }

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
