import Models
package import Persistence

/// The schema of a library's database, and its migrations.
package enum Schema {
  /// The `application_id` that marks a file as an imgdl library: "IMGD".
  package static let applicationID: Int64 = 0x494d_4744

  /// One migration step. A released step never changes; each change of the schema adds a step.
  package struct Step: Sendable {
    package let name: String
    package let sql: String

    package init(_ name: String, _ sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// The migration steps in order, from an empty file to the current schema.
  package static let steps = [
    Step("tables", tables)
  ]

  /// The number of the last unreleased schema. The `user_version` of released schemas begins above it, so
  /// that a file with an unreleased schema is never mistaken for a released one.
  package static let unreleased: Int64 = 22

  /// Returns the `user_version` of a file to which the first `count` steps have been applied.
  package static func version(afterSteps count: Int) -> Int64 { unreleased + Int64(count) }

  /// Creates the tables of a new library in an empty file.
  package static func create(_ connection: Connection) throws(StoreError) {
    try connection.transaction(.writing) { () throws(StoreError) in
      try connection.execute(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version(afterSteps: steps.count));
        \(steps.map(\.sql).joined(separator: ";\n"))
        """)
    }
  }

  /// Throws for a foreign, newer or unreleased schema; otherwise applies the missing steps.
  package static func bringForward(
    _ connection: Connection, steps: [Step] = steps
  ) throws(StoreError) {
    let path = connection.path
    guard try connection.integer("PRAGMA application_id") == applicationID else {
      throw StoreError(.damaged, "\(path): damaged: not a library of imgdl")
    }
    let number = try connection.integer("PRAGMA user_version")
    let latest = version(afterSteps: steps.count)
    guard number <= latest else {
      throw StoreError(
        .newerSchema,
        "\(path): written by a newer imgdl: its schema is \(number),"
          + " this program knows up to \(latest)")
    }
    guard number > 0 else {
      throw StoreError(.damaged, "\(path): damaged: its schema has the number \(number)")
    }
    guard number > unreleased else {
      throw StoreError(
        .olderSchema,
        "\(path): written by an imgdl before its first release (schema \(number)), which this"
          + " program cannot read: use another library")
    }
    try migrate(connection, from: Int(number - unreleased), steps: steps)
  }

  /// Applies all steps except the first `version` ones, in one transaction.
  package static func migrate(
    _ connection: Connection, from version: Int, steps: [Step] = steps
  ) throws(StoreError) {
    guard version < steps.count else { return }
    // A step may replace a table; dropping the old table must not delete the rows that refer to it.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.transaction(.writing) { () throws(StoreError) in
      for step in steps.dropFirst(version) {
        do throws(StoreError) {
          try connection.execute(step.sql)
        } catch {
          throw StoreError(error.code, "\(error.detail) (schema step \"\(step.name)\")")
        }
      }
      try connection.execute("PRAGMA user_version = \(Self.version(afterSteps: steps.count))")
    }
  }
}
