import Persistence

/// Inserts many rows with as few statements as possible, because starting and ending a statement and seeking
/// to its first row cost as much as inserting a row. An error rolls back the whole transaction anyway, so
/// `OR FAIL` saves SQLite the statement journal, a copy of each changed page.
struct Insertion {
  /// The statements, with the number of rows that each inserts, in descending order; the last inserts one
  /// row.
  fileprivate let steps: [(count: Int, sql: String)]

  init(into table: String, of columns: [String]) {
    let row = "(\(repeatElement("?", count: columns.count).joined(separator: ", ")))"
    steps = [64, 16, 4, 1].map { count in
      let rows = repeatElement(row, count: count).joined(separator: ", ")
      return (
        count, "INSERT OR FAIL INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows)"
      )
    }
  }

  /// Binds the parameters of one statement, in order.
  struct Parameters {
    fileprivate let statement: Statement
    fileprivate var room: BindingRoom
    private var last: Int32 = 0

    fileprivate init(of statement: Statement, in room: BindingRoom) {
      self.statement = statement
      self.room = room
    }

    mutating func bind(_ value: some SQLValue) throws(StoreError) {
      last += 1
      try statement.bind(value, at: last, in: &room)
    }
  }
}

extension Connection {
  /// The size in bytes of the memory for bindings; usually enough for the texts and blobs of one statement.
  private static let roomSize = 16 << 10

  /// Inserts `count` rows in order.
  /// - Parameter bind: Binds the parameters of the row with the given index.
  func insert(
    _ count: Int, by insertion: Insertion,
    bind: (_ index: Int, inout Insertion.Parameters) throws(StoreError) -> Void
  ) throws(StoreError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.roomSize, alignment: 1)
    defer { memory.deallocate() }
    var next = 0
    for step in insertion.steps where count - next >= step.count {
      let statement = try prepared(step.sql)
      // The bindings refer to `memory`, so they are cleared before it is deallocated.
      defer { statement.clear() }
      repeat {
        var parameters = Insertion.Parameters(of: statement, in: BindingRoom(memory))
        for index in next..<next + step.count { try bind(index, &parameters) }
        try statement.run()
        next += step.count
      } while count - next >= step.count
    }
  }
}
