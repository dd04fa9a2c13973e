import Manifests

/// Counts the further pages of a list that have no entry but those of the further pages before them, as a list has
/// whose pages never end. The list is the source's first document, or one that documents link to, whose pages follow
/// each other. A value without input or output.
struct PageNews: Sendable {
  /// The largest number of entries that are remembered. All entries of a longer list count as new.
  private static let maximumEntries = 1_000_000

  /// The further pages of one list.
  private struct Pages: Sendable {
    /// The hashes of the URLs.
    var known: Set<Int> = []
    var hasNews = false
    /// The number of pages in a row, up to the last one that has ended, without a new entry.
    var knownPageCount = 0
  }

  /// The pages of the source's first document, to which reading returns after other documents.
  private var first = Pages()
  private var linked = Pages()
  private var isLinked = false

  /// The number of pages in a row without a new entry, up to the last one that has ended, of the list that was read
  /// last.
  var knownPageCount: Int { isLinked ? linked.knownPageCount : first.knownPageCount }

  /// Notes entries of the current document.
  mutating func note(_ entries: [ManifestEntry], in document: DocumentQueue.Document) {
    guard document.page > 0 else { return }
    if document.isLinked {
      Self.note(entries, &linked)
    } else {
      Self.note(entries, &first)
    }
  }

  private static func note(_ entries: [ManifestEntry], _ pages: inout Pages) {
    guard pages.known.count < maximumEntries else {
      pages.hasNews = true
      return
    }
    for entry in entries where pages.known.insert(entry.address.hashValue).inserted {
      pages.hasNews = true
    }
  }

  /// Ends the current document.
  /// - Parameter hasLinks: Whether it links to documents that were not known before, which may have new entries.
  mutating func endDocument(_ document: DocumentQueue.Document, hasLinks: Bool) {
    isLinked = document.isLinked
    if document.page == 0 {
      if document.isLinked { linked = Pages() }
    } else if document.isLinked {
      Self.endPage(&linked, hasLinks)
    } else {
      Self.endPage(&first, hasLinks)
    }
  }

  private static func endPage(_ pages: inout Pages, _ hasLinks: Bool) {
    pages.knownPageCount = pages.hasNews || hasLinks ? 0 : pages.knownPageCount + 1
    pages.hasNews = false
  }
}
