public import Models

/// Sources: where records came from.
public protocol SourceRows {
  /// A complete source.
  func source(_ id: SourceID) throws(StoreError) -> SourceRow?
  /// The newest complete source of that key: the one that was begun last.
  func source(key: String) throws(StoreError) -> SourceRow?
  /// Sources whose `add` was interrupted while the manifest was read, oldest first, but for discarded ones.
  func incompleteSources() throws(StoreError) -> [SourceRow]
}

public protocol SourceTable: SourceRows {
  /// Begins an `add`. Until `completeSource` its records do not count: they are invisible to every
  /// query but `incompleteSources`.
  func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID
  /// All records of the source become visible, at the end of the list and in order of creation.
  /// A source that is complete already stays as it is.
  func completeSource(_ id: SourceID) throws(StoreError)
  /// What the last answer of the source said; replaces what was known.
  func note(_ state: SourceState, of source: SourceID) throws(StoreError)
  /// Marks all records of a source as removed. The source goes with the last of them, and at once if it has
  /// none.
  func discardSource(_ id: SourceID) throws(StoreError)
}
