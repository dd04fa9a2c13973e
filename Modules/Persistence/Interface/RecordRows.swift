public import Models

/// Queries on records and on the list of them.
///
/// One record is not in the list: the *standalone* record owns the resources that no other record owns (from
/// `fetch` and from callers of the library). It is lazy, only its id and `standaloneRecord` find it, and no query
/// that lists or counts records includes it.
public protocol RecordRows {
  /// Returns the record of standalone resources, or nil if it has not been created.
  func standaloneRecord() throws(StoreError) -> Record?
  /// Returns a window of the visible records, in list order.
  func records(offset: Int, limit: Int) throws(StoreError) -> [Record]
  func record(_ id: RecordID) throws(StoreError) -> Record?
  /// Returns the records of a source, in list order.
  func records(of source: SourceID) throws(StoreError) -> [Record]
  /// Returns the records with exactly this title, in list order.
  func records(titled title: String) throws(StoreError) -> [Record]
  func recordCount() throws(StoreError) -> Int
  /// Returns the sums of the counters of all visible records. The cost does not depend on the number of
  /// resources.
  func totals() throws(StoreError) -> ResourceCounts
  /// Returns the records with an unfinished change (`RecordTable.begin`), by id.
  func recordsInChange() throws(StoreError) -> [RecordID]
  /// Returns the records that were marked as removed, by id.
  func removedRecords() throws(StoreError) -> [Record]
  /// Returns the resources of a record that was marked as removed, after `after` in the record's order. The
  /// cost grows with `limit`.
  func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource]
}

public protocol RecordTable: RecordRows {
  /// Adds a record. If its source is complete, the record is visible at once, at the end of the list or at
  /// its top.
  /// - Throws: `.folderTaken` if a record, visible or not, already has this folder under case folding
  ///   (`SafeName.foldingKey`).
  func appendRecord(_ draft: RecordDraft, at place: InsertPosition) throws(StoreError) -> RecordID
  /// Adds the resources in order; their indexes and ids continue from the last ones given. With `.top`, the
  /// first draft becomes the first resource of the record.
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange
  /// Returns the record of standalone resources. The first call creates it, with this folder.
  func standaloneRecord(folder: String) throws(StoreError) -> Record
  func setPaused(_ paused: Bool, record: RecordID) throws(StoreError)
  func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError)
  /// Hides a record permanently from every query but `removedRecords` and
  /// `resources(ofRemoved:after:limit:)`. Its folder stays reserved until `removeRows` has removed the
  /// record.
  func markRemoved(_ record: RecordID) throws(StoreError)
  /// Marks all records as removed, including the record of standalone resources.
  func markAllRemoved() throws(StoreError)
  /// Removes at most `limit` resources of a record that was marked as removed, with their file rows and
  /// pages. After the last resource it removes the record itself, and the source if it was discarded and has
  /// no other record. A complete source stays.
  /// - Returns: Whether the record has been removed.
  func removeRows(of record: RecordID, limit: Int) throws(StoreError) -> Bool
  /// Begins a change of all rows that the record has at this moment; `advance` makes it. The new change
  /// replaces an unfinished one. The store persists its progress, so that a later process can continue it.
  func beginChange(_ verb: RecordVerb, of record: RecordID) throws(StoreError)
  /// Applies the change of a record to the next rows that it concerns, at most `limit`.
  /// - Returns: The number of rows changed, or nil if the change is complete or the record has none.
  func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int?
  /// Resets the store to the state of a new one, except that ids are never reused.
  func removeAll() throws(StoreError)
}
