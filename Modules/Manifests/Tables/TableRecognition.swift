import Models

/// Tells a table of URLs from a text list, and finds its delimiter and its header.
///
/// A URL may contain commas and semicolons, so a line that begins with a URL is a row only if something in it
/// cannot be a part of the URL.
struct TableRecognition: Sendable {
  /// The reason why a text is a table; a higher value is the better reason.
  enum Reason: Int, Comparable, Sendable {
    /// Most rows have a URL in the same column and text in others, but not all have the same number of columns.
    case ragged
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

    var hasHeader: Bool { reason >= .headerBeforeURLs }
  }

  /// The delimiters of tables of any kind; tabs first, because they occur in no URL.
  static let delimiters: [UInt8] = [0x09, UInt8(ascii: ","), UInt8(ascii: ";"), bar]
  /// A vertical bar also divides lists within cells, so that it is a delimiter only where no other one is.
  static let bar = UInt8(ascii: "|")

  /// Returns the best reading of a text as a table; nil if the text is not a table of URLs.
  /// - Parameter isNamedTable: Whether the name of the text is that of a table, so that a comma that may belong to
  ///   a URL is a delimiter.
  static func recognise(_ tables: [TableSample], isNamedTable: Bool = false) -> Finding? {
    best(tables.filter { $0.delimiter != bar }, isNamedTable)
      ?? best(tables.filter { $0.delimiter == bar }, isNamedTable)
  }

  /// Whether the name of a text, or the path in its URL, is that of a table, which may be compressed.
  static func isTableName(_ name: String) -> Bool {
    let path = name.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return ["", ".gz", ".zst"].contains {
      path.hasSuffix(".csv\($0)") || path.hasSuffix(".tsv\($0)")
    }
  }

  private static func best(_ tables: [TableSample], _ isNamedTable: Bool) -> Finding? {
    var best: Finding?
    for table in tables {
      guard let reason = reason(table, isNamedTable) else { continue }
      let width = table.rows.first?.cells.count ?? 0
      if let known = best, reason < known.reason { continue }
      if let known = best, reason == known.reason, width <= known.table.rows[0].cells.count {
        continue
      }
      best = Finding(table: table, reason: reason)
    }
    return best
  }

  private static func reason(_ table: TableSample, _ isNamedTable: Bool) -> Reason? {
    guard let first = table.rows.first else { return nil }
    if !first.hasURL, isNamedHeader(first.cells) { return .namedHeader }
    let count = table.commonCount.flatMap { $0 > 1 ? $0 : nil }
    let rows = table.rows.filter { $0.cells.count == count }
    if first.hasURL {
      if count != nil, isTable(rows, table.delimiter, hasHeader: false, isNamedTable) {
        return .rows
      }
      return isRagged(table.rows, table.delimiter) ? .ragged : nil
    }
    guard table.rows.count > 1, table.rows[1].hasURL else { return nil }
    let hasNames = namesColumns(first)
    guard count != nil else {
      let isHeader = hasNames && first.cells.count > 1
      return isHeader && isRagged(Array(table.rows.dropFirst()), table.delimiter)
        ? .headerBeforeURLs : nil
    }
    return hasNames
      || isTable(Array(rows.dropFirst()), table.delimiter, hasHeader: true, isNamedTable)
      ? .headerBeforeURLs : nil
  }

  /// Whether the cells are a header, because one of them is the usual name of a column of URLs.
  static func isNamedHeader(_ cells: [String]) -> Bool {
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
    _ rows: [TableSample.Row], _ delimiter: UInt8, hasHeader: Bool, _ isNamedTable: Bool
  ) -> Bool {
    guard let column = urlColumn(rows) else { return false }
    guard column == 0 else {
      // Lines of a text list may be indented.
      let isIndented = rows.allSatisfy { $0.cells[0].isEmpty }
      if hasHeader { return !isIndented }
      return !isIndented && rows.count > 1 && !rows.allSatisfy { URLRow.mayNameURLs($0.cells) }
    }
    // A text list may have a title after a tab.
    if delimiter == 0x09 { return hasHeader }
    if rows.contains(where: \.hasQuotedCell) { return true }
    return rows.allSatisfy { URLRow.isURLBeforeText($0, delimiter) }
      || (rows.count > 1 && rows.allSatisfy { URLRow.isImageBeforeName($0.cells) })
      || (isNamedTable && rows.allSatisfy { URLRow.isURLBeforeWord($0.cells) })
  }

  /// Whether most rows are those of a table although they have different numbers of cells, as if text with the
  /// delimiter had no quotation marks.
  private static func isRagged(_ rows: [TableSample.Row], _ delimiter: UInt8) -> Bool {
    guard let column = urlColumn(rows) else { return false }
    let evidence = rows.count { row in
      guard row.cells.count > max(1, column), TableSample.isURL(row.cells[column]) else {
        return false
      }
      guard column == 0 else {
        return rows.count > 1 && !row.cells[0].isEmpty && !URLRow.mayNameURLs(row.cells)
      }
      // A text list may have a title after a tab.
      guard delimiter != 0x09 else { return false }
      return row.hasQuotedCell || URLRow.isURLBeforeText(row, delimiter)
        || (rows.count > 1 && URLRow.isImageBeforeName(row.cells))
    }
    return evidence &* 2 >= rows.count && evidence > 0
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
