public import Models

/// Queries on resources, their files, partial downloads and pages.
public protocol ResourceRows {
  func resource(_ id: ResourceID) throws(StoreError) -> Resource?
  /// Returns a range of the record's resources, in the record's order. The cost does not depend on `offset`.
  func resources(of record: RecordID, offset: Int, limit: Int) throws(StoreError) -> [Resource]
  /// Returns the resources in `state` with an id above `after`, in order of id, from visible records and the
  /// standalone record: a window of the queue. For `queued`, records that are paused, lazy or of another
  /// priority are left out. The cost grows with `limit` and with the number of records that have such
  /// resources, not with the length of the queue; for `finished`, it grows with the total number of
  /// resources.
  /// - Parameter priority: The priority of the records to include; nil includes all.
  func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource]
  /// Returns those of `urls`, compared byte by byte, that occur among the next `limit` queued resources of a
  /// record, even if the record is paused or lazy.
  /// - Returns: The URLs found, and the last resource examined; nil if no queued resource follows `after`.
  func queuedURLs(
    among urls: Set<String>, of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> (urls: Set<String>, last: ResourceID?)
  /// Returns the resources of a record that are named (`Resource.isNamed`), in the record's order. The cost grows with
  /// their number.
  func namedResources(of record: RecordID) throws(StoreError) -> [ResourceID]
  /// Returns the last resource id assigned, or 0 in a new store.
  func lastResource() throws(StoreError) -> ResourceID
  func partial(of request: RequestKey) throws(StoreError) -> PartialDownload?
  /// Returns all requests that have a partial file, for the clean-up when an engine starts.
  func partials() throws(StoreError) -> [RequestKey]
  /// Returns the sizes of the first pages of the resources that `resources(of:offset:limit:)` returns for the
  /// same arguments. Resources without a page are left out.
  func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [ResourceID: PageSize]
  /// Returns the ids of those resources of the record that the selection includes, in the selection's order.
  /// The cost grows with the number of the record's resources.
  func resourceIDs(
    of record: RecordID, _ selection: ResourceSelection
  ) throws(StoreError) -> [ResourceID]
  /// Returns the resources with these ids, in the given order; missing resources are left out.
  func resources(_ ids: [ResourceID]) throws(StoreError) -> [Resource]
  /// Returns the first pages of the resources with these ids. Resources without a page are left out.
  func firstPages(of ids: [ResourceID]) throws(StoreError) -> [ResourceID: Page]
  /// Returns the number of the record's resources that have failed with exactly this reason. The cost grows
  /// with the number of failed resources.
  func failedCount(of record: RecordID, reason: String) throws(StoreError) -> Int
  /// Returns the pages of a resource, ordered by number.
  func pages(of id: ResourceID) throws(StoreError) -> [Page]
  /// Returns the page work that `setPageWork` last stored, in order of resource id; empty in a new store and
  /// after `removeAll`.
  func pageWork() throws(StoreError) -> [PageWork]
  /// Returns for each request the newest file (with the largest `asOf`) that answers the request. Only files
  /// at their final path in visible records or the standalone record count: those of resources that are
  /// `fetched` or `finished`, or that have failed or are queued again and kept their file. Requests without
  /// such a file are left out.
  func answers(to requests: [RequestKey]) throws(StoreError) -> [RequestKey: ExistingFile]
  /// Returns for each digest at most `limit` files with that content that are at their final path, newest
  /// first. The caller may use any of them as a hard-link source.
  func holders(of digests: [Digest], limit: Int) throws(StoreError) -> [Digest: [ExistingFile]]
}

public protocol ResourceTable: ResourceRows {
  /// Applies the changes in order.
  func apply(_ changes: [ResourceChange]) throws(StoreError)
  /// Replaces the stored page work. The store does not compare it with the resources, so it may name
  /// resources that no longer exist.
  func setPageWork(_ work: [PageWork]) throws(StoreError)
}
