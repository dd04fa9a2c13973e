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

  /// In order; `user_version` is how many of them a file has. What they come to is ``latest``.
  package static let steps = [
    Step("library", library), Step("requests", requests), Step("stored", stored),
    Step("keys", keys), Step("membership", membership), Step("page work", pageWork),
  ]

  /// Makes an empty file a new library.
  package static func create(_ connection: Connection) throws(StoreError) {
    try connection.transaction(.writing) { () throws(StoreError) in
      try connection.execute(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(steps.count);
        \(latest)
        """)
    }
  }

  /// Refuses what is not ours or is newer; else applies the steps that are missing.
  package static func bringForward(
    _ connection: Connection, steps: [Step] = steps
  ) throws(StoreError) {
    let path = connection.path
    guard try connection.integer("PRAGMA application_id") == applicationID else {
      throw StoreError(.damaged, "\(path): damaged: not a library of imgdl")
    }
    let version = try connection.integer("PRAGMA user_version")
    guard version <= steps.count else {
      throw StoreError(
        .newerSchema,
        "\(path): written by a newer imgdl: its schema is \(version),"
          + " this program knows up to \(steps.count)")
    }
    guard version > 0 else {
      throw StoreError(.damaged, "\(path): damaged: its schema has the number \(version)")
    }
    try migrate(connection, from: Int(version), steps: steps)
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
      try connection.execute("PRAGMA user_version = \(steps.count)")
    }
  }
}
