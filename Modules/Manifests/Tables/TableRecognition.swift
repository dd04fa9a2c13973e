import Models

/// Tells a table of URLs from a text list, and finds its delimiter and its header.
///
/// A URL may contain commas and semicolons, so a line that begins with a URL is a row only if something in it
/// cannot be a part of the URL.
struct TableRecognition: Sendable {
  /// The reason why a text is a table; a higher value is the better reason.
  enum Reason: Int, Comparable, Sendable {
    /// All rows have the same number of columns, and a URL is in one of them.
    case rows
    /// The first row has no URL, and the second one has.
    case headerBeforeURLs
    /// The first row has the usual name of a column of URLs.
    case namedHeader

    static func < (a: Reason, b: Reason) -> Bool { a.rawValue < b.rawValue }
  }

  struct Finding: Sendable {
    let table: TableSample
    let reason: Reason

    var hasHeader: Bool { reason != .rows }
  }

  /// The delimiters of tables of any kind; tabs first, because they occur in no URL.
  static let delimiters: [UInt8] = [0x09, UInt8(ascii: ","), UInt8(ascii: ";")]

  /// Returns the best reading of a text as a table; nil if the text is not a table of URLs.
  static func recognise(_ tables: [TableSample]) -> Finding? {
    var best: Finding?
    for table in tables {
      guard let reason = reason(table) else { continue }
      let width = table.rows.first?.cells.count ?? 0
      if let known = best, reason < known.reason { continue }
      if let known = best, reason == known.reason, width <= known.table.rows[0].cells.count {
        continue
      }
      best = Finding(table: table, reason: reason)
    }
    return best
  }

  private static func reason(_ table: TableSample) -> Reason? {
    guard let first = table.rows.first else { return nil }
    if !first.hasURL, isNamedHeader(first.cells) { return .namedHeader }
    guard let count = table.commonCount, count > 1 else { return nil }
    let rows = table.rows.filter { $0.cells.count == count }
    if first.hasURL { return isTable(rows, table.delimiter, hasHeader: false) ? .rows : nil }
    guard table.rows.count > 1, table.rows[1].hasURL else { return nil }
    return namesColumns(first)
      || isTable(Array(rows.dropFirst()), table.delimiter, hasHeader: true)
      ? .headerBeforeURLs : nil
  }

  private static func isNamedHeader(_ cells: [String]) -> Bool {
    if cells.count == 1 { return ColumnNames.lone.contains(ColumnNames.key(cells[0])) }
    return ColumnNames.column(ColumnNames.url, in: cells) != nil
  }

  /// Whether the row looks like names of columns and not like words before a list.
  private static func namesColumns(_ row: TableSample.Row) -> Bool {
    !row.hasSpaceAfterDelimiter
      && row.cells.allSatisfy { cell in
        guard let first = cell.unicodeScalars.first else { return false }
        return first == "_" || first.properties.isAlphabetic
      }
  }

  /// Whether rows with URLs are those of a table and not the lines of a text list.
  private static func isTable(
    _ rows: [TableSample.Row], _ delimiter: UInt8, hasHeader: Bool
  ) -> Bool {
    guard let column = urlColumn(rows) else { return false }
    guard column == 0 else {
      // Lines of a text list may be indented.
      let isIndented = rows.allSatisfy { $0.cells[0].isEmpty }
      return !isIndented && (hasHeader || rows.count > 1)
    }
    // A text list may have a title after a tab.
    if delimiter == 0x09 { return hasHeader }
    if rows.contains(where: \.hasQuotedCell) { return true }
    return rows.allSatisfy { isURLBeforeWords($0.cells) }
      || rows.count > 1 && rows.allSatisfy { isImageBeforeName($0.cells) }
  }

  /// Whether a URL without spaces is followed by words.
  private static func isURLBeforeWords(_ cells: [String]) -> Bool {
    !cells[0].utf8.contains(0x20)
      && cells.dropFirst().contains { $0.utf8.contains(0x20) && !$0.utf8.contains(0x2f) }
  }

  /// Whether the URL of an image file is followed by names.
  private static func isImageBeforeName(_ cells: [String]) -> Bool {
    guard let url = try? HTTPURL(cells[0]), ResourceExpectation(url) == .image else { return false }
    return cells.dropFirst().allSatisfy { !$0.utf8.contains(0x2f) }
  }

  /// Returns the column that has the most URLs in the rows; nil if none has any.
  static func urlColumn(_ rows: [TableSample.Row]) -> Int? {
    var counts: [Int] = []
    for row in rows {
      while counts.count < row.cells.count { counts.append(0) }
      for (column, cell) in row.cells.enumerated() where TableSample.isURL(cell) {
        // The URL of an image counts more than that of a page.
        let isImage = (try? HTTPURL(cell)).map { ResourceExpectation($0) == .image } ?? false
        counts[column] &+= isImage ? 3 : 2
      }
    }
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most)
  }
}
