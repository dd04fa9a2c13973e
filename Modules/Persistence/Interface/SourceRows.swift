public import Models

/// Queries on sources, from which records come.
public protocol SourceRows {
  /// Returns a source, or nil if it is missing or incomplete.
  func source(_ id: SourceID) throws(StoreError) -> SourceRow?
  /// Returns the complete source with this key that was begun last.
  func source(key: String) throws(StoreError) -> SourceRow?
  /// Returns the sources whose `add` was interrupted while the manifest was read, oldest first, except
  /// discarded ones.
  func incompleteSources() throws(StoreError) -> [SourceRow]
}

public protocol SourceTable: SourceRows {
  /// Begins an `add`. Until `completeSource`, the source's records are invisible to every query, and only
  /// `incompleteSources` returns the source.
  func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID
  /// Makes all records of the source visible, at the end of the list and in order of creation. Has no effect
  /// on a source that is already complete.
  func completeSource(_ id: SourceID) throws(StoreError)
  /// Records the state from the source's last response, in place of the previous one.
  func setState(_ state: SourceState, of source: SourceID) throws(StoreError)
  /// Discards a source: marks all its records as removed. The source row is removed with the last of them, or
  /// at once if it has none.
  func discardSource(_ id: SourceID) throws(StoreError)
}
