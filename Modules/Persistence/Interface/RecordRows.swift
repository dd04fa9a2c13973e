public import Models

/// Records, and the list of them.
///
/// One record is not of the list: the *loose* one keeps what no record owns (`fetch`, callers of
/// the library). It is lazy, it is found by its id and by `looseRecord`, and nothing that lists or
/// counts records shows it.
public protocol RecordRows {
  /// The loose record, if it was made.
  func looseRecord() throws(StoreError) -> Record?
  /// In list order.
  func records(offset: Int, limit: Int) throws(StoreError) -> [Record]
  func record(_ id: RecordID) throws(StoreError) -> Record?
  /// Records of a source, in list order.
  func records(of source: SourceID) throws(StoreError) -> [Record]
  /// Records whose title is exactly that, in list order.
  func records(titled title: String) throws(StoreError) -> [Record]
  func recordCount() throws(StoreError) -> Int
  /// Sums over all visible records. Cost independent of the number of resources.
  func totals() throws(StoreError) -> ResourceCounts
  /// Records with a change that has not come to its end, by id.
  func recordsInChange() throws(StoreError) -> [RecordID]
  /// Records that were marked as removed, by id.
  func removedRecords() throws(StoreError) -> [Record]
  /// Resources of a record that was marked as removed, behind `after` in the record's order. Cost by
  /// `limit`.
  func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource]
}

public protocol RecordTable: RecordRows {
  /// A record of a complete source is visible at once, at the end of the list or at its top.
  /// - Throws: `.folderTaken` if a record (visible or not) has that folder under case folding
  ///   (`SafeName.foldingKey`).
  func appendRecord(_ draft: RecordDraft, at place: InsertPosition) throws(StoreError) -> RecordID
  /// Adds in order; indexes and ids go on from the last one. At the top, the first of them becomes the
  /// first of the record.
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange
  /// The loose record; made at the first call, with that folder.
  func looseRecord(folder: String) throws(StoreError) -> Record
  func setPaused(_ paused: Bool, record: RecordID) throws(StoreError)
  func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError)
  /// Hides a record from every query but `removedRecords` and `resources(ofRemoved:after:limit:)`, for
  /// good. Its folder stays taken until `removeRows` has come to its end.
  func markRemoved(_ record: RecordID) throws(StoreError)
  /// The same for all records, the loose one among them.
  func markAllRemoved() throws(StoreError)
  /// Removes at most `limit` resources of a record that was marked as removed, with their files and pages,
  /// and with the last of them the record itself and a source that was discarded. A complete source stays.
  /// - Returns: whether there is no such record any more.
  func removeRows(of record: RecordID, limit: Int) throws(StoreError) -> Bool
  /// Begins a change of all rows that the record has now, which `advance` makes; in place of one that has
  /// not come to its end. It is kept: what ends in between is gone on with.
  func begin(_ verb: RecordVerb, of record: RecordID) throws(StoreError)
  /// Looks at the next `limit` rows that the change of a record may concern.
  /// - Returns: how many were changed; nil once it has come to its end, or without one.
  func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int?
  /// Back to the state of a new store, but for ids: those are never given again.
  func removeAll() throws(StoreError)
}
