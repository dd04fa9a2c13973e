package import Persistence

/// Group commit: changes of several turns share one transaction. A commit writes each changed page to the
/// write-ahead log once, and successive batches change the same pages, so committing several batches together
/// writes these pages only once.
extension SQLiteStore {
  struct Group {
    /// Whether the group's transaction is open and no change of the group is running.
    fileprivate(set) var isOpen = false
    /// The error of another transaction's attempt to commit the group; nil if there is none.
    fileprivate var failure: StoreError?

    mutating func throwFailure() throws(StoreError) {
      guard let failure else { return }
      self.failure = nil
      throw failure
    }
  }

  package func addToGroup<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if connection.isInTransaction, !group.isOpen {
      return try connection.transaction(.writing, body)
    }
    try group.throwFailure()
    return try rollingBackOnError { () throws(StoreError) in
      if !group.isOpen { try beginWriting() }
      // While `body` runs, the group is not open, so that transactions inside `body` are nested in it.
      group.isOpen = false
      let value = try body()
      try connection.checkWhole()
      group.isOpen = true
      return value
    }
  }

  package func commitGroup() throws(StoreError) {
    try group.throwFailure()
    guard group.isOpen else { return }
    group.isOpen = false
    try rollingBackOnError { () throws(StoreError) in try commitWriting() }
  }

  /// Commits the group before another transaction. If the commit fails, that other transaction proceeds, and
  /// the next call of `addToGroup` or `commitGroup` throws the error.
  func endGroup() {
    guard group.isOpen else { return }
    do throws(StoreError) { try commitGroup() } catch { group.failure = error }
  }
}
