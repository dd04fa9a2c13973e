public import Wiring

/// What can be asked of a library's tables.
///
/// A query sees what every transaction before it has committed. Negative offsets and limits count as 0.
public protocol LibraryRows: SourceRows, RecordRows, ResourceRows, CacheRows {
  /// What a user changed while an engine ran; all nil and false in a new store.
  func libraryState() throws(StoreError) -> LibraryState
}

/// The durable state of one library: sources, records, resources, pages, caches.
///
/// Synchronous, and not `Sendable`: one isolation has it and makes every decision about rows, so that
/// nothing can come between what a decision reads and what it writes. Everybody else reads through
/// `reader`.
///
/// Each change is a transaction of its own, or part of the one around it (`transaction`). What it did is
/// there for every reader once it has returned, and survives the end of the process; a power cut may
/// undo the last transactions, in order, but for those before a durable one that has returned. Nothing
/// here touches a file of the library but the store's own.
///
/// Removing what is not there does nothing; another change of a source or record that is not there
/// throws `.notFound`. After `close` everything throws `.closed`.
public protocol LibraryStore: AnyObject, LibraryRows, SourceTable, RecordTable, ResourceTable,
  CacheTable
{
  /// Asynchronous queries beside this store, from any task.
  var reader: any LibraryReader { get }

  func setLibraryState(_ state: LibraryState) throws(StoreError)

  /// Makes the changes of `body` one transaction; an error undoes all of them. A transaction inside
  /// another one is part of it.
  /// - Parameter durable: waits until the disk has it, and every transaction before it. Counts only for
  ///   the outermost transaction.
  func transaction<Value>(
    durable: Bool, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Makes the changes of `body` part of a group, which is committed as one transaction by `commitGroup`, or
  /// before by any other transaction. Until then this store's queries see them, and readers need not.
  ///
  /// An error undoes the changes of `body`, and may undo what was added to the group before and is not
  /// committed. What could not be committed before another transaction is thrown by the group's next call.
  /// - Parameter durable: the commit waits until the disk has it, and every transaction before it.
  func addToGroup<Value>(
    durable: Bool, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Commits the group; does nothing if there is none.
  func commitGroup() throws(StoreError)

  /// Throws `.busy`, without waiting, if another process keeps transactions from beginning at this moment.
  /// A transaction itself waits for a while.
  func checkUnlocked() throws(StoreError)

  /// Await this between transactions where many are made: it returns at once unless so much was written that
  /// the store has to take it in before more comes.
  nonisolated(nonsending) func catchUp() async

  /// Writes what is pending and closes; the reader is closed by its own `close`, before.
  func close()
}

extension LibraryStore {
  /// For stores that no other process can open.
  public func checkUnlocked() {}

  /// For stores whose commits cost nothing: each change is committed at once.
  public func addToGroup<Value>(
    durable: Bool, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try transaction(durable: durable, body)
  }

  /// For stores whose commits cost nothing.
  public func commitGroup() throws(StoreError) {}

  public func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try transaction(durable: false, body)
  }

  /// Makes the changes in order, in one transaction.
  public func apply(_ changes: [ResourceChange], durable: Bool) throws(StoreError) {
    try transaction(durable: durable) { () throws(StoreError) in try apply(changes) }
  }
}

extension Port where Service == any StoreOpening {
  public static var store: Port<any StoreOpening> { Port("store") }
}

/// Opens stores: a library's folder is known only after the graph is built.
public protocol StoreOpening: Sendable {
  /// The caller closes the store's reader, then the store.
  /// - Parameter folder: the library's `.imgdl` folder; it exists.
  @concurrent func open(folder: String) async throws(StoreError) -> sending any LibraryStore

  /// Opens a library to look at, where nothing can be written: a read-only file system, a folder without
  /// the permission to write, a disk without a free block.
  /// - Parameter folder: the library's `.imgdl` folder; nothing in it is changed.
  @concurrent func openForReading(folder: String) async throws(StoreError) -> any LibraryReader
}
