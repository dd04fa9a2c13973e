import Manifests

/// Counts the further pages of a list that have no entry but those of the further pages before them, as a list has
/// whose pages never end. A value without input or output.
struct PageNews: Sendable {
  /// The largest number of entries that are remembered. All entries of a longer list count as new.
  private static let maximumEntries = 1_000_000

  /// The hashes of the URLs.
  private var known: Set<Int> = []
  private var hasNews = false
  /// The number of pages in a row, up to the last one that has ended, without a new entry.
  private(set) var knownPageCount = 0

  /// Notes entries of the current page.
  mutating func note(_ entries: [ManifestEntry]) {
    guard known.count < Self.maximumEntries else {
      hasNews = true
      return
    }
    for entry in entries where known.insert(entry.address.hashValue).inserted { hasNews = true }
  }

  /// Ends the current page.
  /// - Parameter hasLinks: Whether the page links to documents, which may have new entries.
  mutating func endPage(hasLinks: Bool) {
    knownPageCount = hasNews || hasLinks ? 0 : knownPageCount + 1
    hasNews = false
  }
}
