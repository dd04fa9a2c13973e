import Models

/// Finds the record to which a list of a source that is read again belongs. Records have no other key than
/// their titles, and several folders of a site may have the same one. A list whose title has changed since is
/// recognised by its entries.
struct RecordMatching {
  private var records: [String: [Record]] = [:]
  /// The titles that exactly as many lists as records have, so that the order decides about unknown lists.
  private let complete: Set<String>
  /// The only record of a source with one list, whose title may have changed since.
  private var only: Record?
  /// The records with titles that no list has, in their order.
  private var orphans: [Record]
  /// The number of orphans that may still be compared with lists.
  private var comparisonsLeft = maximumComparisons

  /// The maximum number of comparisons for lists with unknown titles, each of which reads a whole record.
  static let maximumComparisons = 1_000

  /// - Parameters:
  ///   - records: The records of the source, in their order.
  ///   - lists: The titles of all lists.
  ///   - isOneList: Whether the source consists of one document or its pages.
  init(_ records: [Record], lists: [String], isOneList: Bool) {
    let byTitle = Dictionary(grouping: records, by: \.title)
    let counts = Dictionary(lists.map { ($0, 1) }, uniquingKeysWith: +)
    self.records = byTitle
    complete = Set(counts.keys.filter { byTitle[$0]?.count == counts[$0] })
    orphans = records.filter { counts[$0.title] == nil }
    if isOneList, records.count == 1, lists.count == 1 { only = records.first }
  }

  /// Removes and returns the record of a list; nil if it has none yet. The lists are passed from the last to
  /// the first.
  /// - Parameters:
  ///   - entryCount: The number of the list's entries.
  ///   - common: Returns the number of entries of the list that a record contains.
  mutating func record<Failure: Error>(
    for title: String, entryCount: Int, _ common: (Record) throws(Failure) -> Int
  ) throws(Failure) -> Record? {
    if let record = only {
      only = nil
      return record
    }
    guard let candidates = records[title] else { return try orphan(entryCount, common) }
    guard let last = candidates.indices.last else { return nil }
    if candidates.count == 1, complete.contains(title) { return records[title]?.remove(at: last) }
    for index in candidates.indices.reversed() where try common(candidates[index]) > 0 {
      return records[title]?.remove(at: index)
    }
    return complete.contains(title) ? records[title]?.remove(at: last) : nil
  }

  /// Removes and returns a record that shares at least half of the entries with a list with an unknown title; a
  /// single image, such as a logo, may be in many lists. The last one is tried first: if all titles have changed,
  /// it is the right one.
  private mutating func orphan<Failure: Error>(
    _ entryCount: Int, _ common: (Record) throws(Failure) -> Int
  ) throws(Failure) -> Record? {
    for index in orphans.indices.reversed() {
      guard comparisonsLeft > 0 else { return nil }
      comparisonsLeft -= 1
      let count = try common(orphans[index])
      guard count > 0, count >= min(entryCount, orphans[index].counts.total) - count else {
        continue
      }
      return orphans.remove(at: index)
    }
    return nil
  }
}
