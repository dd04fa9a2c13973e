import LibraryAPI
import Models

/// Finds the entries of a remote archive that the words of a command line name.
struct EntrySelection {
  private let entries: [RemoteArchiveListing.Entry]
  /// The indices of the entries by the number of the page.
  private let pages: [Int: Int]

  init(_ listing: RemoteArchiveListing) {
    entries = listing.entries
    pages = Dictionary(
      listing.entries.enumerated().compactMap { index, entry in
        entry.page.map { ($0, index) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the indices of the entries in the order of the words, each once.
  /// - Parameter words: Numbers of pages, ranges of numbers such as `3-7`, and names of entries. A name that
  ///   is also a number is taken for the number.
  /// - Throws: `LibraryError` for a word without an entry.
  func entries(_ words: [String], of url: HTTPURL) throws(LibraryError) -> [Int] {
    var chosen: [Int] = []
    var known: Set<Int> = []
    for word in words {
      for index in try entries(word, url) where known.insert(index).inserted {
        chosen.append(index)
      }
    }
    return chosen
  }

  private func entries(_ word: String, _ url: HTTPURL) throws(LibraryError) -> [Int] {
    if let number = Int(word), let index = pages[number] { return [index] }
    if let range = Self.range(word), pages[range.upperBound] != nil, pages[range.lowerBound] != nil
    {
      return range.compactMap { pages[$0] }
    }
    let named = entries.indices.filter { entries[$0].name == word }
    guard named.isEmpty else { return named }
    throw LibraryError(
      .noSuchRecord,
      "\(url): the archive has \(pages.count) pages, and no page or entry \(word)")
  }

  private static func range(_ word: String) -> ClosedRange<Int>? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let last = Int(parts[1]), first <= last
    else { return nil }
    return first...last
  }
}
