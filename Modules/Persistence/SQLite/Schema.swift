import Models
package import Persistence

/// The tables of a library and how they came to be.
package enum Schema {
  /// Marks the file as a library of imgdl: "IMGD".
  package static let applicationID: Int64 = 0x494d_4744

  /// One step forward. Steps are never changed once released; a change is a new step.
  package struct Step: Sendable {
    package let name: String
    package let sql: String

    package init(_ name: String, _ sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// In order, from an empty file to the present schema.
  package static let steps = [Step("tables", tables)]

  /// Schemas with numbers up to this one were never released. `user_version` counts the steps on from
  /// here, so that a file of such a schema is never taken for one of a released schema.
  package static let unreleased: Int64 = 7

  /// The `user_version` of a file that has the first `count` steps.
  package static func version(afterSteps count: Int) -> Int64 { unreleased + Int64(count) }

  /// Makes an empty file a new library.
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

  /// Refuses what is not ours, is newer or was never released; else applies the steps that are missing.
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

  /// Applies the steps after the first `version` in one transaction.
  package static func migrate(
    _ connection: Connection, from version: Int, steps: [Step] = steps
  ) throws(StoreError) {
    guard version < steps.count else { return }
    // A step may make a table again; dropping the old one must not drop what refers to it.
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
