public import Models

/// Sources: where records came from.
public protocol SourceRows: Sendable {
  /// Begins an `add`. Until `completeSource` its records do not count: they are invisible to every
  /// reader but `incompleteSources`.
  @concurrent func beginSource(_ draft: SourceDraft) async throws(StoreError) -> SourceID
  /// All records of the source become visible, at the end of the list and in order of creation.
  /// A source that is complete already stays as it is.
  @concurrent func completeSource(_ id: SourceID) async throws(StoreError)
  /// What the last answer of the source said; replaces what was known.
  @concurrent
  func note(_ state: SourceState, of source: SourceID) async throws(StoreError)
  /// Removes a source with its records; the files are the caller's business.
  @concurrent func discardSource(_ id: SourceID) async throws(StoreError)
  /// A complete source.
  @concurrent func source(_ id: SourceID) async throws(StoreError) -> SourceRow?
  /// The newest complete source of that key: the one that was begun last.
  @concurrent func source(key: String) async throws(StoreError) -> SourceRow?
  /// Sources whose `add` was interrupted while the manifest was read, oldest first.
  @concurrent func incompleteSources() async throws(StoreError) -> [SourceRow]
}
