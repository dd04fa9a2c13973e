import Models
package import Persistence

extension SQLiteStore {
  package func setLibraryState(_ state: LibraryState) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try run(
        "UPDATE library_state SET paused = ?1, concurrency = ?2, per_host = ?3",
        state.isPaused, state.concurrency, state.perHost)
    }
  }

  package func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try run("DELETE FROM page_work")
      for one in work {
        try run(
          "INSERT OR REPLACE INTO page_work VALUES (?1, ?2, ?3)", one.resource.rawValue,
          one.interruptionCount, one.isRunning)
      }
    }
  }
}
