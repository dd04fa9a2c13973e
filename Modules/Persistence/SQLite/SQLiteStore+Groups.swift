package import Persistence

/// Group commit: a commit writes each page that has changed into the log, and the rows of a batch share
/// pages. Changes made in several turns therefore share one commit.
extension SQLiteStore {
  struct Group {
    /// Whether a transaction is open between two changes of a group.
    fileprivate(set) var isOpen = false
    fileprivate var isDurable = false
    /// Why the group was undone when another transaction was to commit it.
    fileprivate var failure: StoreError?

    fileprivate mutating func takeFailure() throws(StoreError) {
      guard let failure else { return }
      self.failure = nil
      throw failure
    }
  }

  package func addToGroup<Value>(
    durable: Bool, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if isInTransaction, !group.isOpen { return try transaction(.writing, body) }
    if group.isOpen, group.isDurable != durable { endGroup() }
    try group.takeFailure()
    return try undoingOnError { () throws(StoreError) in
      if !group.isOpen { try beginWriting(durable: durable) }
      // Transactions inside `body` are part of it.
      group.isOpen = false
      let value = try body()
      try checkWhole()
      group.isDurable = durable
      group.isOpen = true
      return value
    }
  }

  package func commitGroup() throws(StoreError) {
    try group.takeFailure()
    guard group.isOpen else { return }
    group.isOpen = false
    try undoingOnError { () throws(StoreError) in try commitWriting() }
  }

  /// Commits the group for another transaction, which does not fail with it: the next call of the group does.
  func endGroup() {
    guard group.isOpen else { return }
    do throws(StoreError) { try commitGroup() } catch { group.failure = error }
  }
}
