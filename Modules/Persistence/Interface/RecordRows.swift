public import Models

/// Records, and the list of them.
///
/// One record is not of the list: the *loose* one keeps what no record owns (`fetch`, callers of
/// the library). It is lazy, it is found by its id and by `looseRecord`, and nothing that lists or
/// counts records shows it.
public protocol RecordRows: Sendable {
  /// A record of a complete source is visible at once, at the end of the list or at its top.
  /// - Throws: `.folderTaken` if a record (visible or not) has that folder under case folding
  ///   (`SafeName.foldingKey`).
  @concurrent
  func appendRecord(_ draft: RecordDraft, at place: ListPlace) async throws(StoreError) -> RecordID
  /// Adds in order, in one transaction; indexes and ids go on from the last one. At the top, the
  /// first of them becomes the first of the record.
  @concurrent
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: ListPlace
  ) async throws(StoreError) -> ResourceIDRange
  /// The loose record; made at the first call, with that folder.
  @concurrent func looseRecord(folder: String) async throws(StoreError) -> Record
  /// The loose record, if it was made.
  @concurrent func looseRecord() async throws(StoreError) -> Record?
  /// In list order.
  @concurrent func records(offset: Int, limit: Int) async throws(StoreError) -> [Record]
  @concurrent func record(_ id: RecordID) async throws(StoreError) -> Record?
  /// Records of a source, in list order.
  @concurrent func records(of source: SourceID) async throws(StoreError) -> [Record]
  /// Records whose title is exactly that, in list order.
  @concurrent func records(titled title: String) async throws(StoreError) -> [Record]
  @concurrent func recordCount() async throws(StoreError) -> Int
  /// Sums over all visible records. Cost independent of the number of resources.
  @concurrent func totals() async throws(StoreError) -> ResourceCounts
  @concurrent func setPaused(_ paused: Bool, record: RecordID) async throws(StoreError)
  @concurrent
  func setPriority(_ priority: RecordPriority, record: RecordID) async throws(StoreError)
  /// Removes the record with its resources and pages; its source stays.
  @concurrent func removeRecord(_ id: RecordID) async throws(StoreError)
  /// Back to the state of a new store, but for ids: those are never given again.
  @concurrent func removeAll() async throws(StoreError)
}
