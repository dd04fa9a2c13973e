import Models
public import Persistence
import Synchronization

/// A library in memory, for tests and for runs that leave no data behind.
///
/// A direct implementation of the protocol's contract, and therefore the reference model that tests compare
/// the other stores with.
public final class MemoryStore: LibraryStore {
  var tables = Tables()
  /// The lock that the owner holds while it changes the tables, for the length of the outermost transaction,
  /// and that readers hold while they read. The owner itself reads without it, since no other code changes
  /// the tables.
  let access = Mutex(MemoryReader.State())
  private var isInTransaction = false
  private var isClosed = false
  /// The number of changes made, including those that were rolled back.
  private var changeCount = 0
  /// The error because of which the open transaction can only be rolled back; nil if there is none.
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

  /// Runs a nested transaction as part of the open one. A failed part cannot be rolled back alone: if it has
  /// changed any row, the open transaction accepts no further change and is rolled back at its end, wherever
  /// the error is caught.
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

  /// Makes one change. Its body checks all preconditions before its first change, so that there is nothing to
  /// roll back if it throws.
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

  /// Runs `body`, which changes the tables, while it excludes all readers.
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
