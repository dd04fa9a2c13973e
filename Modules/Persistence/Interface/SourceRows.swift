public import Models

/// Queries on sources, from which records come.
public protocol SourceRows {
  /// Returns a source, or nil if it is missing or incomplete.
  func source(_ id: SourceID) throws(StoreError) -> SourceRow?
  /// Returns the complete source with this key; if there are several, the one whose `add` began last.
  func source(key: String) throws(StoreError) -> SourceRow?
  /// Returns the sources whose `add` was interrupted while the manifest was read, oldest first. Discarded
  /// sources are left out.
  func incompleteSources() throws(StoreError) -> [SourceRow]
}

public protocol SourceTable: SourceRows {
  /// Inserts a source at the beginning of an `add`. Until `completeSource`, no query returns the source's
  /// records, and only `incompleteSources` returns the source.
  func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID
  /// Makes all records of the source visible, at the end of the list and in order of creation. Has no effect
  /// on a complete source.
  func completeSource(_ id: SourceID) throws(StoreError)
  /// Stores the state that the source's last response determined, in place of the previous one.
  func setState(_ state: SourceState, of source: SourceID) throws(StoreError)
  /// Stores the options of the source's requests in place of the previous ones.
  func setOptions(_ options: String?, of source: SourceID) throws(StoreError)
  /// Discards a source: marks all its records as removed. The source row is removed with the last of these
  /// records, or at once if there are none.
  func discardSource(_ id: SourceID) throws(StoreError)
}
