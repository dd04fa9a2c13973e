package import Persistence

/// A type that reads a library through a connection of its own.
package protocol ConnectionOwner {
  var connection: Connection { get }
}

/// All queries on a library. Each table's protocol has the statements in an extension, which reaches the
/// connection and no other state of the type that conforms.
package protocol LibraryQueries: LibraryRows, SourceQueries, RecordQueries, ResourceQueries,
  QueueQueries, FileQueries, CacheQueries, StateQueries
{}

/// The queries of a reader. Queries of several statements see one snapshot.
package struct ReadingQueries: LibraryQueries {
  package let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }
}
