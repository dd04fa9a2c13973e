import Persistence

/// Inserts rows by as few statements as will do: beginning and ending one, and finding the place of
/// its first row, costs as much as the row. An error undoes the transaction, so SQLite need not keep
/// what would undo the statement (`OR FAIL`): that is a copy of each page.
struct Insertion {
  /// So many rows at once, and the statements for them; the largest first, the last for one row.
  fileprivate let steps: [(count: Int, sql: String)]

  init(into table: String, of columns: [String]) {
    let row = "(\(repeatElement("?", count: columns.count).joined(separator: ", ")))"
    steps = [16, 4, 1].map { count in
      let rows = repeatElement(row, count: count).joined(separator: ", ")
      return (
        count, "INSERT OR FAIL INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows)"
      )
    }
  }
}

extension Connection {
  /// Inserts `count` rows in order.
  /// - Parameter bind: sets the parameters of the row of that index behind the last one that was set.
  func insert(
    _ count: Int, by insertion: Insertion,
    bind: (_ index: Int, Statement, _ last: inout Int32) throws(StoreError) -> Void
  ) throws(StoreError) {
    var next = 0
    for step in insertion.steps where count - next >= step.count {
      let statement = try prepared(step.sql)
      repeat {
        var last: Int32 = 0
        for index in next..<next + step.count { try bind(index, statement, &last) }
        try statement.run()
        next += step.count
      } while count - next >= step.count
    }
  }
}
