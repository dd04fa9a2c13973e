extension TableLayout.Search {
  /// Whether something other than the text says that it is a table.
  private var isTableExpected: Bool {
    if case .table? = recorded { return true }
    return isNamedTable
  }

  /// Refuses a text that is not a table of URLs although a table is expected, unless it is a list of URLs. Otherwise
  /// the lines of an error message, or of a table of other things, would be read as relative URLs.
  func checkIsList(limits: ManifestLimits) throws(TableLayout.Fault) {
    guard isTableExpected, !isDemanded else { return }
    let tables = TableRecognition.delimiters.map {
      TableSample(sample, delimiter: $0, isWhole: isWhole, limits: limits)
    }
    guard !TableRecognition.isList(tables) else { return }
    let reason =
      if case .table? = recorded {
        "has no column of URLs, as the table before had"
      } else {
        "no column of this table has URLs; --url-column names it, and --format text reads each line as a URL"
      }
    let row = tables.first?.rows.first?.cells.joined(separator: "\t")
    throw TableLayout.Fault(
      reason: reason + (row.map { "; the first row: \(Excerpt.quote($0))" } ?? ""))
  }
}

extension TableRecognition {
  /// Whether a text that is not a table of URLs is a list of URLs.
  /// - Parameter tables: The text, read with each of the possible delimiters.
  static func isList(_ tables: [TableSample]) -> Bool {
    if tables.allSatisfy(\.rows.isEmpty) { return true }
    if tables.contains(where: { $0.rows.contains(where: \.hasURL) }) { return true }
    return tables.allSatisfy { table in
      // A text list may have a title after a tab; other delimiters may be in one of its relative URLs.
      guard table.delimiter == 0x09 else { return (table.commonCount ?? 1) == 1 }
      return table.rows.allSatisfy { NameMapRecognition.isURLLike($0.cells[0]) }
    }
  }
}
