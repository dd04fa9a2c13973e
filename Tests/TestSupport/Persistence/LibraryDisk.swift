public import Persistence
import Synchronization

/// A store that outlives the processes that a test plays, as a disk does: each of them has a
/// `RecordingStore` on it. The test itself looks at the rows as any reader does.
///
/// `@unchecked`: the store is not `Sendable`, and is used under the lock only.
public final class LibraryDisk: LibraryReader, @unchecked Sendable {
  private let store: any LibraryStore
  let reader: any LibraryReader
  private let access = Mutex(())

  public init(_ store: sending any LibraryStore) {
    self.store = store
    reader = store.reader
  }

  /// Uses the store beside the processes. `body` keeps nothing of it.
  public func write<Value, Failure>(
    _ body: (any LibraryStore) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var result: Result<Value, Failure>?
    access.withLock { _ in result = Result { () throws(Failure) in try body(store) } }
    guard let result else { preconditionFailure("a lock runs what it is given") }
    return try result.get()
  }

  @concurrent
  public func read<Value: Sendable>(
    _ body: @Sendable (any LibraryRows) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await reader.read(body)
  }

  @concurrent
  public func integrityProblems() async throws(StoreError) -> [String] {
    try await reader.integrityProblems()
  }

  /// Closes the store with its reader.
  public func close() async {
    await reader.close()
    write { $0.close() }
  }
}
