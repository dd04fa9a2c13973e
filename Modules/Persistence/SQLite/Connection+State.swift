package import Persistence

extension Connection: LibraryRows {
  package func libraryState() throws(StoreError) -> LibraryState {
    let state = try first("SELECT paused, concurrency, per_host FROM library_state") {
      row throws(StoreError) in
      var state = LibraryState()
      state.isPaused = row.integer() != 0
      state.concurrency = row.optionalInteger().map { Int($0) }
      state.perHost = row.optionalInteger().map { Int($0) }
      return state
    }
    return state ?? LibraryState()
  }
}
