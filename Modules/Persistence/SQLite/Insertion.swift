import Persistence

/// Inserts rows by as few statements as will do: beginning and ending one, and finding the place of
/// its first row, costs as much as the row. An error undoes the transaction, so SQLite need not keep
/// what would undo the statement (`OR FAIL`): that is a copy of each page.
struct Insertion {
  /// So many rows at once, and the statements for them; the largest first, the last for one row.
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

  /// Sets the parameters of one statement, one after the other.
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

extension SQLiteStore {
  /// Texts and blobs of a statement's rows, mostly.
  private static let roomSize = 16 << 10

  /// Inserts `count` rows in order.
  /// - Parameter bind: sets the parameters of the row of that index.
  func insert(
    _ count: Int, by insertion: Insertion,
    bind: (_ index: Int, inout Insertion.Parameters) throws(StoreError) -> Void
  ) throws(StoreError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.roomSize, alignment: 1)
    defer { memory.deallocate() }
    var next = 0
    for step in insertion.steps where count - next >= step.count {
      let statement = try prepared(step.sql)
      // Before the memory goes that the parameters lie in.
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
