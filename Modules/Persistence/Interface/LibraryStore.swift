public import Wiring

/// The queries on a library's tables.
///
/// A query sees every transaction that was committed before it. Negative offsets and limits count as 0.
public protocol LibraryRows: SourceRows, RecordRows, ResourceRows, CacheRows {
  /// Returns the settings that a user changed while an engine ran. A new store has none: every field is nil
  /// or false.
  func libraryState() throws(StoreError) -> LibraryState
}

/// The durable state of one library: sources, records, resources, pages, caches.
///
/// Synchronous and not `Sendable`: a single isolation domain owns the store and makes every decision about
/// rows, so that no other change can occur between the reads and the writes of one decision. All other code
/// reads through `reader`.
///
/// Each change is a transaction of its own, or part of the enclosing one (`transaction`). Once a change has
/// returned, every reader sees it and it survives the end of the process. A power cut may undo the last
/// transactions, in order, back to those that `sync` has covered. The store touches no file of the library but
/// its own.
///
/// Removing a missing row has no effect; any other change of a missing source or record throws `.notFound`.
/// After `close`, every call throws `.closed`.
public protocol LibraryStore: AnyObject, LibraryRows, SourceTable, RecordTable, ResourceTable,
  CacheTable
{
  /// A reader for asynchronous queries from any task, concurrent with this store.
  var reader: any LibraryReader { get }

  func setLibraryState(_ state: LibraryState) throws(StoreError)

  /// Makes the changes of `body` in one transaction; an error rolls all of them back. A nested transaction is
  /// part of the outermost one.
  func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Makes the changes of `body` part of a group. `commitGroup`, or any other transaction before it, commits
  /// the group as one transaction. Until the commit this store's queries see the changes; readers may not.
  ///
  /// An error rolls back the changes of `body`, and possibly the uncommitted changes that were added to the
  /// group before. If another transaction fails to commit the group, the next call for a group throws that
  /// error.
  func addToGroup<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Commits the open group, if there is one.
  func commitGroup() throws(StoreError)

  /// Returns when everything that was committed before the call is on the disk. Does not block the caller's
  /// executor, so that other turns run meanwhile.
  /// - Throws: The error of the disk. What is on the disk is then unknown, and every later `sync` and change
  ///   throws the same error: a second sync would report success.
  nonisolated(nonsending) func sync() async throws(StoreError)

  /// Throws `.busy`, without waiting, if another process holds the write lock. A transaction itself waits for
  /// the lock for a limited time.
  func checkUnlocked() throws(StoreError)

  /// Waits until the store has processed its backlog of writes, and returns at once if the backlog is small.
  /// Callers that make many transactions await this between them.
  nonisolated(nonsending) func catchUp() async

  /// Commits pending changes and closes the store. The caller closes the reader first, with the reader's own
  /// `close`.
  func close()
}

extension LibraryStore {
  /// The default for stores that no other process can open.
  public func checkUnlocked() {}

  /// The default for stores whose commits cost nothing: commits each change at once.
  public func addToGroup<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try transaction(body)
  }

  /// The default for stores whose commits cost nothing: there is no group to commit.
  public func commitGroup() throws(StoreError) {}

  /// The default for stores that keep nothing on a disk.
  nonisolated(nonsending) public func sync() async {}
}

extension Port where Service == any StoreOpening {
  public static var store: Port<any StoreOpening> { Port("store") }
}

/// Opens stores. The plugin graph provides this factory and not a store, because a library's folder is known
/// only after the graph is built.
public protocol StoreOpening: Sendable {
  /// Opens the store for reading and writing. The caller closes the store's reader, then the store.
  /// - Parameter folder: The library's `.imgdl` folder, which must exist.
  @concurrent func open(folder: String) async throws(StoreError) -> sending any LibraryStore

  /// Opens a library that cannot be written for reading: on a read-only file system, in a folder without
  /// write permission, or on a disk without a free block.
  /// - Parameter folder: The library's `.imgdl` folder. The call changes nothing in it.
  @concurrent func openForReading(folder: String) async throws(StoreError) -> any LibraryReader
}
