public import Models
public import Wiring

/// The durable state of one library: sources, records, resources, pages.
///
/// Every call may come from any task. Writes are atomic, one transaction each, in the order in
/// which they were called; readers never wait for them. What a write did is there for every reader
/// once the call has returned, and survives the end of the process; only a durable `apply` is also
/// safe from a power cut when it returns. Nothing here touches a file of the library but the
/// store's own.
///
/// Removing what is not there does nothing; another change of a source or record that is not there
/// throws `.notFound`. A negative `offset` or `limit` counts as 0.
public protocol LibraryStore: Sendable {
  // Sources

  /// Begins an `add`. Until `completeSource` its records do not count: they are invisible to every
  /// reader below but `incompleteSources`.
  @concurrent func beginSource(_ draft: SourceDraft) async throws(StoreError) -> SourceID
  /// All records of the source become visible, at the end of the list and in order of creation.
  /// A source that is complete already stays as it is.
  @concurrent func completeSource(_ id: SourceID) async throws(StoreError)
  /// Removes a source with its records; the files are the caller's business.
  @concurrent func discardSource(_ id: SourceID) async throws(StoreError)
  /// The newest complete source of that key: the one that was begun last.
  @concurrent func source(key: String) async throws(StoreError) -> SourceRow?
  /// Sources whose `add` was interrupted while the manifest was read, oldest first.
  @concurrent func incompleteSources() async throws(StoreError) -> [SourceRow]

  // Records

  /// A record of a complete source is visible at once, at the end of the list.
  /// - Throws: `.folderTaken` if a record (visible or not) has that folder under case folding
  ///   (`SafeName.foldingKey`).
  @concurrent
  func appendRecord(_ draft: RecordDraft) async throws(StoreError) -> RecordID
  /// Appends in order; indexes and ids go on from the last one.
  @concurrent
  func appendResources(_ drafts: [ResourceDraft], to record: RecordID) async throws(StoreError)
  /// In list order.
  @concurrent func records(offset: Int, limit: Int) async throws(StoreError) -> [Record]
  @concurrent func record(_ id: RecordID) async throws(StoreError) -> Record?
  /// Records of a source, in order.
  @concurrent func records(of source: SourceID) async throws(StoreError) -> [Record]
  /// Records whose title is exactly that, in list order.
  @concurrent func records(titled title: String) async throws(StoreError) -> [Record]
  @concurrent func recordCount() async throws(StoreError) -> Int
  /// Sums over all visible records. Cost independent of the number of resources.
  @concurrent func totals() async throws(StoreError) -> ResourceCounts
  @concurrent func setPaused(_ paused: Bool, record: RecordID) async throws(StoreError)
  /// Removes the record with its resources and pages; its source stays.
  @concurrent func removeRecord(_ id: RecordID) async throws(StoreError)
  /// Back to the state of a new store, but for ids: those are never given again.
  @concurrent func removeAll() async throws(StoreError)

  // Resources

  @concurrent func resource(_ id: ResourceID) async throws(StoreError) -> Resource?
  /// In order of index. Cost independent of `offset`.
  @concurrent
  func resources(of record: RecordID, offset: Int, limit: Int) async throws(StoreError)
    -> [Resource]
  /// Visible resources in that state with an id above `after`, by id: a window on the queue.
  /// Leaves out paused records where the state is `queued`. Cost by `limit` and by the number of
  /// records that have such resources, not by the length of the queue.
  @concurrent
  func resources(in state: ResourceState, after: ResourceID?, limit: Int) async throws(StoreError)
    -> [Resource]
  /// One transaction, changes in order. `durable` waits until the disk has it (`synchronous=FULL`).
  @concurrent func apply(_ changes: [ResourceChange], durable: Bool) async throws(StoreError)
  /// failed → queued with no reason and zero attempts; all records or one. A stored file, pages and
  /// partial data stay known. Returns how many.
  @concurrent func requeueFailed(of record: RecordID?) async throws(StoreError) -> Int
  @concurrent func partial(of id: ResourceID) async throws(StoreError) -> PartialDownload?
  /// All resources that have partial data, for the sweep on start.
  @concurrent func partials() async throws(StoreError) -> [ResourceID]
  /// By number.
  @concurrent func pages(of id: ResourceID) async throws(StoreError) -> [Page]

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
}
