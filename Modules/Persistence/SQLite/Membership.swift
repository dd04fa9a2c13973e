import Persistence

/// Asks which of many numbers a column has by as few statements as will do: beginning and ending one
/// costs more than to look for a number. The column has an index without a condition, which is what
/// SQLite looks into.
struct Membership {
  /// So many numbers at once, and the statements for them; the largest first, the last for one.
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
  /// Those of the numbers that are there.
  func members(
    among numbers: some Collection<Int64>, by membership: Membership
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
