public import Wiring

/// The durable state of one library: sources, records, resources, pages, caches.
///
/// Every call may come from any task. Writes are atomic, one transaction each, in the order in
/// which they were called; readers never wait for them (but `holders` may). What a write did is
/// there for every reader once the call has returned, and survives the end of the process; only a
/// durable `apply` is also safe from a power cut when it returns. Nothing here touches a file of
/// the library but the store's own.
///
/// Removing what is not there does nothing; another change of a source or record that is not there
/// throws `.notFound`. A negative `offset` or `limit` counts as 0.
public protocol LibraryStore: SourceRows, RecordRows, ResourceRows, CacheRows {
  /// What a user changed while an engine ran; all nil and false in a new store.
  @concurrent func libraryState() async throws(StoreError) -> LibraryState
  @concurrent func setLibraryState(_ state: LibraryState) async throws(StoreError)
  /// Checks the store itself; empty when all is well, else one sentence a finding.
  @concurrent func integrityProblems() async throws(StoreError) -> [String]
  /// Writes what is pending and closes. Later calls throw `.closed`.
  func close() async
}

extension Port where Service == any StoreOpening {
  public static var store: Port<any StoreOpening> { Port("store") }
}

/// Opens stores: a library's folder is known only after the graph is built.
public protocol StoreOpening: Sendable {
  /// - Parameter folder: the library's `.imgdl` folder; it exists.
  @concurrent func open(folder: String) async throws(StoreError) -> any LibraryStore

  /// Opens a store to look at, where nothing can be written: a read-only file system, a folder
  /// without the permission to write, a disk without a free block. Writes throw `.readOnly`.
  /// - Parameter folder: the library's `.imgdl` folder; nothing in it is changed.
  @concurrent func openForReading(folder: String) async throws(StoreError) -> any LibraryStore
}

extension StoreOpening {
  /// For stores that are not files.
  @concurrent
  public func openForReading(folder: String) async throws(StoreError) -> any LibraryStore {
    try await open(folder: folder)
  }
}
