public import Models

/// Resources, their files, partial downloads and pages.
public protocol ResourceRows: Sendable {
  @concurrent func resource(_ id: ResourceID) async throws(StoreError) -> Resource?
  /// In the record's order. Cost independent of `offset`.
  @concurrent
  func resources(of record: RecordID, offset: Int, limit: Int) async throws(StoreError)
    -> [Resource]
  /// Resources of the list and of the loose record in that state with an id above `after`, by id: a
  /// window on the queue. Where the state is `queued`, leaves out paused and lazy records and those
  /// of another priority than the given one. Cost by `limit` and by the number of records that have
  /// such resources, not by the length of the queue; of `finished` ones by the length of the list.
  /// - Parameter priority: nil: any.
  @concurrent
  func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) async throws(StoreError) -> [Resource]
  /// Those of the URLs, as they are spelled, that a queued resource of another record has, be that
  /// record paused or lazy. Cost by the length of the queue.
  @concurrent
  func queuedURLs(among urls: Set<String>, outside record: RecordID) async throws(StoreError)
    -> Set<String>
  /// The id that was given last; 0 in a new store.
  @concurrent func lastResource() async throws(StoreError) -> ResourceID

  /// One transaction, changes in order. `durable` waits until the disk has it (`synchronous=FULL`).
  @concurrent func apply(_ changes: [ResourceChange], durable: Bool) async throws(StoreError)
  /// failed → queued with no reason and zero attempts; all records or one. A stored file, pages and
  /// partial data stay known. Returns how many.
  @concurrent func requeueFailed(of record: RecordID?) async throws(StoreError) -> Int
  /// failed with exactly that reason → fetched with no reason and zero attempts, where a file is stored
  /// that is not to be reloaded; pages stay known. All records or one. Returns how many.
  @concurrent
  func processAgain(of record: RecordID?, failedWith reason: String) async throws(StoreError) -> Int
  /// Every resource of the record → queued, to be fetched whatever is there; files and pages stay
  /// until the new ones take their place. Returns how many.
  @concurrent func requeueAll(of record: RecordID) async throws(StoreError) -> Int
  /// queued → failed with that reason; a queued one that has a file keeps it and becomes `fetched`:
  /// nobody knows any more what came of its pages. Returns how many.
  @concurrent
  func giveUpQueued(of record: RecordID, reason: String) async throws(StoreError) -> Int

  @concurrent func partial(of request: RequestKey) async throws(StoreError) -> PartialDownload?
  /// All requests that have partial data, for the sweep on start.
  @concurrent func partials() async throws(StoreError) -> [RequestKey]
  /// The sizes of the first pages of resources that lie side by side in the record's order, as
  /// `resources(of:offset:limit:)` gives them; those without a page are missing.
  @concurrent
  func firstPageSizes(of record: RecordID, offset: Int, limit: Int) async throws(StoreError)
    -> [ResourceID: PageSize]
  /// How many resources of the record have failed with exactly that reason. Cost by the number that has
  /// failed.
  @concurrent
  func failedCount(of record: RecordID, reason: String) async throws(StoreError) -> Int
  /// By number.
  @concurrent func pages(of id: ResourceID) async throws(StoreError) -> [Page]

  /// The work that was last given to `setPageWork`, by id; empty in a new store and after `removeAll`.
  @concurrent func pageWork() async throws(StoreError) -> [PageWork]
  /// Takes the place of what was given before. The store does not compare it with the resources: one
  /// that is gone may be among them. Not durable: only the end of the process matters here.
  @concurrent func setPageWork(_ work: [PageWork]) async throws(StoreError)

  /// The newest file (largest `asOf`) that answers each request, among those that are in place
  /// (`fetched`, `finished`, or failed or queued again with the file kept) in the list or the loose
  /// record. Requests without one are missing.
  @concurrent
  func answers(to requests: [RequestKey]) async throws(StoreError) -> [RequestKey: HeldFile]
  /// Files in place with that content, newest first, at most `limit` each: any of them may be
  /// linked. For whoever is about to write: may wait for the writes that were asked for before.
  @concurrent
  func holders(of digests: [Digest], limit: Int) async throws(StoreError) -> [Digest: [HeldFile]]
}
