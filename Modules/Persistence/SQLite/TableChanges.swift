package import Persistence

/// A store whose changes are statements on one connection. Each table has a protocol that refines this one.
/// Its changes are in an extension, which can use the connection and `transaction` but no other state of the
/// store.
package protocol TableChanges: LibraryStore, LibraryQueries {}

extension TableChanges {
  /// Reserves `count` new ids of a table, and returns the first of them.
  func newIDs(_ table: String, count: Int = 1) throws(StoreError) -> Int64 {
    let last = try connection.integer(
      "UPDATE sequence SET last = last + ?1 WHERE name = ?2 RETURNING last", count, table)
    return last &- Int64(count) &+ 1
  }

  func notFound(_ what: String, _ id: Int64) -> StoreError {
    StoreError(.notFound, "\(connection.path): there is no \(what) \(id)")
  }
}
