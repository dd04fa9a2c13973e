import Models
package import Persistence

/// The changes of the library's settings and of the page work.
package protocol StateChanges: TableChanges {}

extension StateChanges {
  package func setLibraryState(_ state: LibraryState) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run(
        """
        UPDATE library_state
        SET paused = ?1, concurrency = ?2, per_host = ?3, rate_limit = ?4
        """, state.isPaused, state.concurrency, state.perHost, state.rateLimit)
    }
  }

  package func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run("DELETE FROM page_work")
      for one in work {
        try connection.run(
          "INSERT OR REPLACE INTO page_work VALUES (?1, ?2, ?3)", one.resource.rawValue,
          one.interruptionCount, one.isRunning)
      }
    }
  }
}
