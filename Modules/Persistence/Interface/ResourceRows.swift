public import Models

/// Resources, their files, partial downloads and pages.
public protocol ResourceRows {
  func resource(_ id: ResourceID) throws(StoreError) -> Resource?
  /// In the record's order. Cost independent of `offset`.
  func resources(of record: RecordID, offset: Int, limit: Int) throws(StoreError) -> [Resource]
  /// Resources of the list and of the loose record in that state with an id above `after`, by id: a
  /// window on the queue. Where the state is `queued`, leaves out paused and lazy records and those
  /// of another priority than the given one. Cost by `limit` and by the number of records that have
  /// such resources, not by the length of the queue; of `finished` ones by the length of the list.
  /// - Parameter priority: nil means any.
  func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource]
  /// Those of the URLs, as they are spelled, that the next queued resources of a record have, whether it
  /// is paused, lazy or neither.
  /// - Returns: also the last resource that was looked at; nil when none was left behind `after`.
  func queuedURLs(
    among urls: Set<String>, of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> (urls: Set<String>, last: ResourceID?)
  /// The id that was given last; 0 in a new store.
  func lastResource() throws(StoreError) -> ResourceID
  func partial(of request: RequestKey) throws(StoreError) -> PartialDownload?
  /// All requests that have partial data, for the sweep on start.
  func partials() throws(StoreError) -> [RequestKey]
  /// The sizes of the first pages of resources that lie side by side in the record's order, as
  /// `resources(of:offset:limit:)` gives them; those without a page are missing.
  func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [ResourceID: PageSize]
  /// How many resources of the record have failed with exactly that reason. Cost by the number that has
  /// failed.
  func failedCount(of record: RecordID, reason: String) throws(StoreError) -> Int
  /// By number.
  func pages(of id: ResourceID) throws(StoreError) -> [Page]
  /// The work that was last given to `setPageWork`, by id; empty in a new store and after `removeAll`.
  func pageWork() throws(StoreError) -> [PageWork]
  /// The newest file (largest `asOf`) that answers each request, among those that are in place
  /// (`fetched`, `finished`, or failed or queued again with the file kept) in the list or the loose
  /// record. Requests without one are missing.
  func answers(to requests: [RequestKey]) throws(StoreError) -> [RequestKey: ExistingFile]
  /// Files in place with that content, newest first, at most `limit` each: any of them may be linked.
  func holders(of digests: [Digest], limit: Int) throws(StoreError) -> [Digest: [ExistingFile]]
}

public protocol ResourceTable: ResourceRows {
  /// Makes the changes in order.
  func apply(_ changes: [ResourceChange]) throws(StoreError)
  /// Takes the place of what was given before. The store does not compare it with the resources: one
  /// that is gone may be among them.
  func setPageWork(_ work: [PageWork]) throws(StoreError)
}
