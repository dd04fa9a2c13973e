import CSQLite
import Glibc
import Models
import Persistence

/// A compiled statement of one connection.
final class Statement {
  fileprivate let handle: OpaquePointer
  /// The connection that owns the statement, and therefore outlives it.
  private unowned let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  var path: String { connection.path }

  /// Binds the values to the parameters, starting with the first.
  func bind<each Value: SQLValue>(_ values: repeat each Value) throws(StoreError) {
    var index: Int32 = 0
    var room = BindingRoom.none
    for value in repeat each values {
      index += 1
      try bind(value, at: index, in: &room)
    }
  }

  /// Binds one parameter. A value of a statically known type costs less than a value in a parameter pack.
  func bind(
    _ value: some SQLValue, at index: Int32, in room: inout BindingRoom
  ) throws(StoreError) {
    guard value.bind(to: handle, at: index, in: &room) == SQLITE_OK else {
      throw connection.failure()
    }
  }

  /// Clears the bindings of all parameters.
  func clear() { sqlite3_clear_bindings(handle) }

  /// Advances to the next row.
  /// - Returns: Whether there is a next row.
  func step() throws(StoreError) -> Bool {
    errno = 0
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure()
    }
  }

  func reset() { sqlite3_reset(handle) }

  func run<each Value: SQLValue>(_ values: repeat each Value) throws(StoreError) {
    try bind(repeat each values)
    defer { reset() }
    while try step() {}
  }

  func rows<each Value: SQLValue, Result>(
    _ values: repeat each Value, read: (inout Row) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    try bind(repeat each values)
    defer { reset() }
    var results: [Result] = []
    while try step() {
      var row = Row(self)
      results.append(try read(&row))
    }
    return results
  }

  func first<each Value: SQLValue, Result>(
    _ values: repeat each Value, read: (inout Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try bind(repeat each values)
    defer { reset() }
    guard try step() else { return nil }
    var row = Row(self)
    return try read(&row)
  }
}

/// Reads the columns of the current row of a statement from left to right.
package struct Row {
  private let statement: Statement
  private var column: Int32 = 0

  init(_ statement: Statement) { self.statement = statement }

  private mutating func next() -> Int32 {
    defer { column += 1 }
    return column
  }

  mutating func skip(_ count: Int32) { column += count }

  private func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement.handle, column) == SQLITE_NULL
  }

  package mutating func integer() -> Int64 { sqlite3_column_int64(statement.handle, next()) }

  mutating func optionalInteger() -> Int64? {
    let column = next()
    return isNull(column) ? nil : sqlite3_column_int64(statement.handle, column)
  }

  mutating func real() -> Double? {
    let column = next()
    return isNull(column) ? nil : sqlite3_column_double(statement.handle, column)
  }

  package mutating func text() -> String { optionalText() ?? "" }

  mutating func optionalText() -> String? {
    let column = next()
    guard let bytes = sqlite3_column_text(statement.handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement.handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  mutating func optionalBytes() -> [UInt8]? {
    let column = next()
    guard let bytes = sqlite3_column_blob(statement.handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement.handle, column))
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  mutating func digest() throws(StoreError) -> Digest? {
    guard let bytes = try blob(of: 32, "digest") else { return nil }
    return Digest(
      words: (word(0, of: bytes), word(1, of: bytes), word(2, of: bytes), word(3, of: bytes)))
  }

  /// Returns a checksum, whose length tells its algorithm.
  mutating func checksum() throws(StoreError) -> Checksum? {
    guard let bytes = optionalBytes() else { return nil }
    guard let checksum = Checksum(bytes) else {
      throw damaged("a checksum has \(bytes.count) bytes")
    }
    return checksum
  }

  mutating func request() throws(StoreError) -> RequestKey? {
    guard let bytes = try blob(of: 16, "request") else { return nil }
    return RequestKey(high: word(0, of: bytes), low: word(1, of: bytes))
  }

  /// Returns the bytes of a blob column of exactly `count` bytes, or nil for NULL. The pointer is valid until
  /// the next call of `step` or `reset`.
  private mutating func blob(
    of count: Int, _ what: String
  ) throws(StoreError) -> UnsafeRawPointer? {
    let column = next()
    guard let bytes = sqlite3_column_blob(statement.handle, column) else { return nil }
    let found = Int(sqlite3_column_bytes(statement.handle, column))
    guard found == count else { throw damaged("a \(what) has \(found) bytes") }
    return bytes
  }

  /// Returns the 8-byte big-endian word with the given index.
  private func word(_ index: Int, of bytes: UnsafeRawPointer) -> UInt64 {
    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
  }

  /// Returns the error for a row that only a damaged database can contain.
  func damaged(_ finding: String) -> StoreError {
    StoreError(.damaged, "\(statement.path): damaged: \(finding)")
  }
}
