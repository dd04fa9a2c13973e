import LibraryAPI
import Manifests
import Models

/// What a source holds that its records do not: the entries of a second reading, sorted out.
///
/// Kept in memory until the source has been read to its end, so that a list that breaks off changes
/// nothing: a reading of a million new entries takes as much memory as they are long.
actor RefreshImport: ImportTarget {
  /// Entries of one list of the source.
  struct Found: Sendable {
    let title: String
    var entries: [ManifestEntry] = []
  }

  private(set) var lists: [Found] = []
  private(set) var problems: [String] = []

  func begin(title: String) { lists.append(Found(title: title)) }

  func append(_ entries: [ManifestEntry]) {
    if lists.isEmpty { begin(title: "") }
    lists[lists.count - 1].entries += entries
  }

  func note(problems new: [String], count: Int) {
    problems += new.prefix(AddResult.problemLimit - problems.count)
  }

  /// A single file is what it was; `reload` fetches it again.
  func adopt(_ source: SpooledSource, title: String) {}
}
