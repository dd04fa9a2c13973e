import Models
public import Persistence
import Synchronization

/// A library in memory, for tests and for runs that leave no data behind.
///
/// A direct implementation of the protocol's contract, so that tests use it as the reference model for other
/// stores.
public final class MemoryStore: LibraryStore {
  var tables = Tables()
  /// The lock that the owner holds while it changes the tables, until the outermost transaction ends, and
  /// that readers hold while they read. The owner itself reads without the lock, since no other code changes
  /// the tables.
  let access = Mutex(MemoryReader.State())
  private var isInTransaction = false
  private var isClosed = false
  /// The number of changes made, including those that were rolled back.
  private var changeCount = 0
  /// The error that forces the open transaction to roll back at its end; nil if there is none.
  private var failureInside: StoreError?

  public init() {}

  public var reader: any LibraryReader { MemoryReader(self) }

  public func catchUp() async {}

  public func close() { exclusively { isClosed = true } }

  func checkOpen() throws(StoreError) {
    if isClosed { throw StoreError(.closed, "the library is closed") }
  }

  public func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try checkOpen()
    if isInTransaction { return try join(body) }
    return try exclusively { () throws(StoreError) in
      let before = tables
      defer { failureInside = nil }
      do throws(StoreError) {
        let value = try body()
        if let failureInside { throw failureInside }
        return value
      } catch {
        tables = before
        throw error
      }
    }
  }

  /// Runs a nested transaction as part of the open one. A failed nested transaction cannot be rolled back
  /// alone: if it has changed any row, the open transaction accepts no further change and is rolled back at
  /// its end, even if the caller of the nested one catches the error.
  private func join<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if let failureInside { throw failureInside }
    let changes = changeCount
    do throws(StoreError) {
      return try body()
    } catch {
      if changeCount != changes { failureInside = failureInside ?? error }
      throw error
    }
  }

  /// Makes one change. `body` checks all preconditions before it changes anything, so that nothing has to be
  /// rolled back if it throws.
  func write<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try checkOpen()
    if let failureInside { throw failureInside }
    return try exclusively { () throws(StoreError) in
      let value = try body()
      changeCount += 1
      return value
    }
  }

  /// Runs `body`, which changes the tables, while it holds the lock against readers.
  private func exclusively<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isInTransaction { return try body() }
    isInTransaction = true
    defer { isInTransaction = false }
    var result: Result<Value, Failure>?
    access.withLock { _ in result = Result { () throws(Failure) in try body() } }
    guard let result else { preconditionFailure("a lock runs what it is given") }
    return try result.get()
  }
}

// MARK: - The library's settings and page work
extension MemoryStore {
  public func libraryState() throws(StoreError) -> LibraryState {
    try checkOpen()
    return tables.state
  }

  public func setLibraryState(_ state: LibraryState) throws(StoreError) {
    try write { () throws(StoreError) in tables.state = state }
  }

  public func pageWork() throws(StoreError) -> [PageWork] {
    try checkOpen()
    return tables.workOnPages.values.sorted { $0.resource < $1.resource }
  }

  public func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try write { () throws(StoreError) in
      tables.workOnPages = Dictionary(work.map { ($0.resource, $0) }) { $1 }
    }
  }
}
