import Persistence

/// Finds which of many numbers occur in a column, with as few statements as possible, because starting and
/// ending a statement costs more than looking up a number. The column needs an index without a `WHERE`
/// clause, so that SQLite searches only the index.
struct MembershipQuery {
  /// The statements, with the number of values that each looks up, in descending order; the last looks up
  /// one.
  fileprivate let steps: [(count: Int, sql: String)]

  init(of column: String, in table: String) {
    steps = [64, 8, 1].map { count in
      let numbers = repeatElement("(?)", count: count).joined(separator: ", ")
      return (
        count,
        """
        WITH asked (number) AS (VALUES \(numbers))
        SELECT number FROM asked WHERE number IN (SELECT \(column) FROM \(table))
        """
      )
    }
  }
}

extension Connection {
  /// Returns those of `numbers` that the column contains.
  func members(
    among numbers: some Collection<Int64>, by membership: MembershipQuery
  ) throws(StoreError) -> Set<Int64> {
    var members: Set<Int64> = []
    var rest = numbers[...]
    for step in membership.steps where rest.count >= step.count {
      let statement = try prepared(step.sql)
      repeat {
        var room = BindingRoom.none
        for (index, number) in rest.prefix(step.count).enumerated() {
          try statement.bind(number, at: Int32(index) + 1, in: &room)
        }
        rest = rest.dropFirst(step.count)
        defer { statement.reset() }
        while try statement.step() {
          var row = Row(statement)
          members.insert(row.integer())
        }
      } while rest.count >= step.count
    }
    return members
  }
}
