extension RecordedTable {
  /// Finds the recorded columns in a text that is read again.
  /// - Parameter tables: The text, read with each of the possible delimiters.
  /// - Returns: The reading that has the columns, and whether its first row is a header; nil if none has.
  func match(_ tables: [TableSample]) -> (table: TableSample, hasHeader: Bool)? {
    let recorded = tables.filter { $0.delimiter == delimiter }
    // Programs may write the table with another delimiter than before, which other numbers of columns show.
    for table in recorded + tables.filter({ $0.delimiter != delimiter }) {
      if let hasHeader = hasHeader(table), hasHeader || hasUsualCount(table) {
        return (table, hasHeader)
      }
    }
    return recorded.first.flatMap { table in hasHeader(table).map { (table, $0) } }
  }

  /// Returns whether a text with the recorded columns has a header; nil if it does not have these columns.
  private func hasHeader(_ table: TableSample) -> Bool? {
    guard let first = table.rows.first else { return nil }
    if hasHeader, url.index(in: first.cells, count: first.cells.count) != nil, !first.hasURL {
      return true
    }
    let isHeaderNew = !first.hasURL && TableRecognition.isNamedHeader(first.cells)
    let rows = isHeaderNew ? table.rows.dropFirst() : table.rows[...]
    guard let place = url.index(in: [], count: .max),
      rows.contains(where: { $0.cells.count > place && TableSample.isURL($0.cells[place]) }),
      first.hasURL || !hasHeader
    else { return nil }
    return isHeaderNew
  }

  private func hasUsualCount(_ table: TableSample) -> Bool {
    table.rows.count { $0.cells.count == columnCount } &* 2 >= table.rows.count
  }
}
