import LibraryAPI
import Manifests
import Models

/// Receives the records and entries of a source.
protocol ImportTarget: AnyObject, Sendable {
  /// Begins a list, to which the following entries belong.
  /// - Parameter key: The key of the list: entries of an earlier list with the same key, if it is remembered
  ///   (`RecordGroups`), are continued; nil begins a new list.
  func beginList(title: String, key: String?) async throws
  func append(_ entries: [ManifestEntry]) async throws
  /// Reports `count` unusable entries; `problems` contains the reasons for the first of them.
  func report(problems: [String], count: Int) async
  /// Notes the format of the source's first document, after its entries.
  func noteFormat(_ format: ManifestFormat) async
  /// Adopts the whole source, which is already spooled, as a single resource.
  func adoptAsResource(_ source: SpooledSource, title: String) async throws
}

extension ImportTarget {
  func report(problem: String) async { await report(problems: [problem], count: 1) }

  func noteFormat(_ format: ManifestFormat) async {}

  func beginList(title: String) async throws { try await beginList(title: title, key: nil) }
}
