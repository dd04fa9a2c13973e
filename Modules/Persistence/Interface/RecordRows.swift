public import Models

/// Queries on records and on their list.
///
/// One record is not in the list: the *standalone* record owns the resources that no other record owns (from
/// `fetch` and from callers of the library). It is lazy. Only its id and `standaloneRecord` find it; no query
/// that lists or counts records includes it.
public protocol RecordRows {
  /// Returns the record of standalone resources, or nil if it has not been created.
  func standaloneRecord() throws(StoreError) -> Record?
  /// Returns a range of the visible records, in list order.
  func records(offset: Int, limit: Int) throws(StoreError) -> [Record]
  func record(_ id: RecordID) throws(StoreError) -> Record?
  /// Returns the records of a source, in list order.
  func records(of source: SourceID) throws(StoreError) -> [Record]
  /// Returns the visible record of a source that was made first: that of the source's first document, unless
  /// that has no entries; nil if the source has no record.
  func firstRecord(of source: SourceID) throws(StoreError) -> RecordID?
  /// Returns the records with exactly this title, in list order.
  func records(titled title: String) throws(StoreError) -> [Record]
  func recordCount() throws(StoreError) -> Int
  /// Returns the sums of the counters of all visible records. The cost does not depend on the number of
  /// resources.
  func totals() throws(StoreError) -> ResourceCounts
  /// Returns the ids of the records with an unfinished change (`RecordTable.beginChange`), in order of id.
  func recordsInChange() throws(StoreError) -> [RecordID]
  /// Returns the records that are marked as removed, in order of id.
  func removedRecords() throws(StoreError) -> [Record]
  /// Returns whether a record is marked as removed, and its files stay on the disk.
  func keepsFiles(ofRemoved record: RecordID) throws(StoreError) -> Bool
  /// Returns the resources of a removed record that follow `after` in the record's order. The cost grows with
  /// `limit`.
  func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource]
}

extension RecordTable {
  /// Marks a record as removed whose files are deleted, too.
  public func markRemoved(_ record: RecordID) throws(StoreError) {
    try markRemoved(record, keepingFiles: false)
  }
}

public protocol RecordTable: RecordRows {
  /// Adds a record. If its source is complete, the record becomes visible at once, at the given end of the
  /// list.
  /// - Throws: `.folderTaken` if another record, visible or not, has the same folder after case folding
  ///   (`SafeName.foldingKey`).
  func appendRecord(_ draft: RecordDraft, at place: InsertPosition) throws(StoreError) -> RecordID
  /// Adds the resources in order; their indexes and ids continue from the last ones assigned. With `.top`,
  /// the first draft becomes the first resource of the record.
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange
  /// Returns the record of standalone resources; the first call creates it with this folder.
  func standaloneRecord(folder: String) throws(StoreError) -> Record
  func setPaused(_ paused: Bool, record: RecordID) throws(StoreError)
  func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError)
  /// Hides a record permanently from every query except `removedRecords` and
  /// `resources(ofRemoved:after:limit:)`. The record's folder name stays reserved until `removeRows` has
  /// removed the record.
  /// - Parameter keepsFiles: Whether the files of the record stay on the disk.
  func markRemoved(_ record: RecordID, keepingFiles keepsFiles: Bool) throws(StoreError)
  /// Marks all records as removed, including the record of standalone resources.
  func markAllRemoved() throws(StoreError)
  /// Removes at most `limit` resources of a record that is marked as removed, with their file rows and pages.
  /// With the last resource, removes the record, and also its source if that was discarded and has no other
  /// record. A complete source stays.
  /// - Returns: Whether the record has been removed.
  func removeRows(of record: RecordID, limit: Int) throws(StoreError) -> Bool
  /// Begins a change of all resources that the record has now; `advance` applies it. The new change replaces
  /// an unfinished one. The store persists the progress, so that a later process can continue the change.
  func beginChange(_ verb: RecordVerb, of record: RecordID) throws(StoreError)
  /// Applies the record's unfinished change to the next rows concerned, at most `limit`.
  /// - Returns: The number of rows changed, or nil if the change is complete or the record has none.
  func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int?
  /// Empties the store, except that ids are never reused.
  func removeAll() throws(StoreError)
}
