import Models
package import Persistence

/// The queries on the library's settings and on the page work, two small tables that are replaced as a whole.
package protocol StateQueries: ConnectionOwner {}

extension StateQueries {
  package func libraryState() throws(StoreError) -> LibraryState {
    let state = try connection.first(
      "SELECT paused, concurrency, per_host, rate_limit FROM library_state"
    ) { row throws(StoreError) in
      var state = LibraryState()
      state.isPaused = row.integer() != 0
      state.concurrency = row.optionalInteger().map { Int($0) }
      state.perHost = row.optionalInteger().map { Int($0) }
      state.rateLimit = row.optionalInteger().map { Int($0) }
      return state
    }
    return state ?? LibraryState()
  }

  package func pageWork() throws(StoreError) -> [PageWork] {
    try connection.rows("SELECT resource, interruptions, running FROM page_work ORDER BY resource")
    {
      row throws(StoreError) in
      PageWork(
        ResourceID(row.integer()), interruptionCount: Int(row.integer()),
        isRunning: row.integer() != 0)
    }
  }
}
