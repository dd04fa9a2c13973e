package import Persistence

/// A type that owns a connection to a library's database.
package protocol ConnectionOwner {
  var connection: Connection { get }
}

/// All queries on a library. The queries of each table are in an extension of that table's protocol, which
/// can use the connection but no other state of the conforming type.
package protocol LibraryQueries: LibraryRows, SourceQueries, RecordQueries, ResourceQueries,
  QueueQueries, FileQueries, CacheQueries, StateQueries
{}

/// The queries of a reader. If a query needs several statements, all of them see one snapshot.
package struct ReadingQueries: LibraryQueries {
  package let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }
}
