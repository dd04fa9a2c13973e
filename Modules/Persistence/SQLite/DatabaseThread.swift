package import Persistence
import Threading

/// A connection and the thread that it lives on; the only place that a connection is used from.
package actor DatabaseThread {
  private let executor: BlockingExecutor
  private var connection: Connection?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(label: String) { executor = BlockingExecutor(label) }

  package func open(_ make: @Sendable () throws(StoreError) -> Connection) throws(StoreError) {
    connection = try make()
  }

  /// Runs `body` on one snapshot of the database.
  func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let connection = try opened()
    return try connection.transaction(.reading) { () throws(StoreError) in try body(connection) }
  }

  /// Runs `body` in one transaction: all of it or nothing.
  ///
  /// Every commit is one append to the write-ahead log. With `synchronous=NORMAL` the log is in the
  /// page cache when the call returns: it survives the end of the process, a power cut may undo the
  /// last commits, in order, and leaves the database intact (the log is synced before a checkpoint
  /// copies from it). With `FULL` the commit ends with an `fdatasync` of the log: this transaction,
  /// and whatever the log held before it, survives a power cut. The level belongs to the connection
  /// and is read at the commit; changing it costs microseconds.
  package func write<Value: Sendable>(
    durable: Bool = false, _ body: @Sendable (Connection) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let connection = try opened()
    if durable { try connection.execute("PRAGMA synchronous = FULL") }
    defer {
      // Staying at FULL would be slower, never wrong: nothing to report.
      if durable { try? connection.execute("PRAGMA synchronous = NORMAL") }
    }
    let value = try connection.transaction(.writing) { () throws(StoreError) in
      try body(connection)
    }
    connection.boundLog()
    return value
  }

  /// Runs what begins its transactions itself.
  func outsideTransactions<Value: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try body(opened())
  }

  /// Closes the connection; the last one of the database moves the log into it and removes the log.
  package func close() { connection = nil }

  private func opened() throws(StoreError) -> Connection {
    guard let connection else { throw StoreError(.closed, "the library is closed") }
    return connection
  }
}
