public import Wiring

/// The queries on a library's tables.
///
/// A query sees every transaction that was committed before the query began. Negative offsets and limits
/// count as 0.
public protocol LibraryRows: SourceRows, RecordRows, ResourceRows, CacheRows {
  /// Returns the settings that a user changed while an engine ran. In a new store, every field is nil or
  /// false.
  func libraryState() throws(StoreError) -> LibraryState
}

/// The durable state of one library: sources, records, resources, pages, caches.
///
/// Synchronous and not `Sendable`: a single isolation domain owns the store and decides about all rows, so
/// that nothing changes between the reads and the writes of one decision. All other code reads through
/// `reader`.
///
/// Each change is a transaction of its own, or part of the enclosing one (`transaction`). When a change has
/// returned, every reader sees it, and it survives the end of the process. A power failure may undo the last
/// transactions, in order, except those that `sync` has covered. The store writes only its own files, no
/// other file of the library.
///
/// Removing a missing row has no effect; any other change of a missing source or record throws `.notFound`.
/// After `close`, every call throws `.closed`.
public protocol LibraryStore: AnyObject, LibraryRows, SourceTable, RecordTable, ResourceTable,
  CacheTable
{
  /// The reader for asynchronous queries, concurrent with this store and usable from any task.
  var reader: any LibraryReader { get }

  func setLibraryState(_ state: LibraryState) throws(StoreError)

  /// Makes the changes of `body` in one transaction; an error rolls all of them back. A nested transaction is
  /// part of the outermost one.
  func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Makes the changes of `body` part of a group, which `commitGroup` or the next other transaction commits
  /// as one transaction. Until then this store's queries see the changes; readers may not.
  ///
  /// An error rolls back the changes of `body`, and possibly earlier uncommitted changes of the group. If
  /// another transaction fails to commit the group, the next call of `addToGroup` or `commitGroup` throws
  /// that error.
  func addToGroup<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Commits the open group, if there is one.
  func commitGroup() throws(StoreError)

  /// Returns when everything that was committed before the call is durable on disk. Does not block the
  /// caller's executor, so that other turns can run meanwhile.
  /// - Throws: The error of the disk. The content of the disk is then unknown, so every later `sync` and
  ///   change throws the same error: a second system call would report success.
  nonisolated(nonsending) func sync() async throws(StoreError)

  /// Throws `.busy` at once if another process holds the write lock. A transaction, in contrast, waits for
  /// the lock for a limited time.
  func checkUnlocked() throws(StoreError)

  /// Waits until the backlog of the write-ahead log has been processed; returns at once if it is small.
  /// Callers that make many transactions call this between them.
  nonisolated(nonsending) func catchUp() async

  /// Commits the open group and closes the store. The caller closes the reader first.
  func close()
}

extension LibraryStore {
  /// The default for a store that no other process can open.
  public func checkUnlocked() {}

  /// The default for a store without a cost for each commit: commits every change at once.
  public func addToGroup<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try transaction(body)
  }

  /// The default for a store without groups, which does nothing.
  public func commitGroup() throws(StoreError) {}

  /// The default for a store that keeps nothing on disk.
  nonisolated(nonsending) public func sync() async {}
}

extension Port where Service == any StoreOpening {
  public static var store: Port<any StoreOpening> { Port("store") }
}

/// Opens stores. The plugin graph provides this factory instead of a store, because the library's folder is
/// known only after the graph has been built.
public protocol StoreOpening: Sendable {
  /// Opens the store for reading and writing. The caller closes the store's reader, then the store.
  /// - Parameter folder: The library's `.imgdl` folder, which must exist.
  @concurrent func open(folder: String) async throws(StoreError) -> sending any LibraryStore

  /// Opens a reader of a library that cannot be written: on a read-only file system, in a folder without
  /// write permission, or on a full disk.
  /// - Parameter folder: The library's `.imgdl` folder, which the call leaves unchanged.
  @concurrent func openForReading(folder: String) async throws(StoreError) -> any LibraryReader

  /// Returns whether there is a store, which `open` would not create anew. Blocks for a moment.
  func exists(folder: String) -> Bool

  /// Deletes a store that cannot be opened. Only the program that holds the library's lock may call this.
  /// - Parameter folder: The library's `.imgdl` folder.
  @concurrent func discard(folder: String) async throws(StoreError)
}

extension StoreOpening {
  /// The default for stores that keep nothing on disk.
  public func exists(folder: String) -> Bool { true }

  /// The default for stores that keep nothing on disk.
  @concurrent public func discard(folder: String) async throws(StoreError) {}
}
