import Models

/// Finds the record to which a list of a source that is read again belongs. Records have no other key than
/// their titles, and several folders of a site may have the same one.
struct RecordMatching {
  private var records: [String: [Record]] = [:]
  /// The titles that exactly as many lists as records have, so that the order decides about unknown lists.
  private let complete: Set<String>
  /// The only record of a source with one list, whose title may have changed since.
  private var only: Record?

  /// - Parameters:
  ///   - records: The records of the source, in their order.
  ///   - lists: The titles of all lists.
  ///   - isOneList: Whether the source consists of one document or its pages.
  init(_ records: [Record], lists: [String], isOneList: Bool) {
    let byTitle = Dictionary(grouping: records, by: \.title)
    let counts = Dictionary(lists.map { ($0, 1) }, uniquingKeysWith: +)
    self.records = byTitle
    complete = Set(counts.keys.filter { byTitle[$0]?.count == counts[$0] })
    if isOneList, records.count == 1, lists.count == 1 { only = records.first }
  }

  /// Removes and returns the record of a list; nil if it has none yet. The lists are passed from the last to
  /// the first.
  /// - Parameter hasEntries: Returns whether a record contains entries of the list.
  mutating func record<Failure: Error>(
    for title: String, _ hasEntries: (Record) throws(Failure) -> Bool
  ) throws(Failure) -> Record? {
    if let record = only {
      only = nil
      return record
    }
    guard let candidates = records[title], let last = candidates.indices.last else { return nil }
    if candidates.count == 1, complete.contains(title) { return records[title]?.remove(at: last) }
    for index in candidates.indices.reversed() where try hasEntries(candidates[index]) {
      return records[title]?.remove(at: index)
    }
    return complete.contains(title) ? records[title]?.remove(at: last) : nil
  }
}
