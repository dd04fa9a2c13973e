import Models

/// The first rows of a text that is read as a table with one delimiter.
struct TableSample: Sendable {
  struct Row: Sendable {
    let line: Int
    let cells: [String]
    let hasQuotedCell: Bool
    /// Whether a cell after the first one begins with a space, as words after a comma do.
    let hasSpaceAfterDelimiter: Bool

    var hasURL: Bool { cells.contains(where: TableSample.isURL) }
    /// Whether the row is a comment, as in a text list.
    var isComment: Bool { cells[0].hasPrefix("#") && !hasURL }
  }

  /// The largest number of rows.
  static let maximumRows = 64

  let delimiter: UInt8
  /// The first rows without comments. A comment before them may be the header.
  private(set) var rows: [Row] = []
  /// The line of the first row if it has more columns than a row may have, so that it is not in ``rows``.
  private(set) var tooWideLine: Int?

  /// - Parameter isWhole: Whether the bytes are the whole table, so that their last row is complete.
  init(_ bytes: [UInt8], delimiter: UInt8, isWhole: Bool, limits: ManifestLimits) {
    self.delimiter = delimiter
    var parser = CSVParser(delimiter: delimiter, limits: limits)
    parser.append(bytes.span.bytes)
    if isWhole { parser.finish() }
    read(&parser)
    // A first row that is longer than the sample is better than none.
    guard rows.isEmpty, !isWhole else { return }
    parser.finish()
    read(&parser)
  }

  private mutating func read(_ parser: inout CSVParser) {
    while rows.count < Self.maximumRows, let event = parser.next() {
      if case .fault(let line, _, CSVParser.tooManyColumns) = event, rows.isEmpty {
        tooWideLine = tooWideLine ?? line
      }
      guard event == .row else { continue }
      let columns = 0..<parser.columnCount
      let row = Row(
        line: parser.rowLine, cells: columns.map { parser.decodedText($0).withoutSpaceAtEnds },
        hasQuotedCell: columns.contains { parser.isQuoted($0) },
        hasSpaceAfterDelimiter: columns.dropFirst().contains { parser.beginsWithSpace($0) })
      if row.isComment {
        if !rows.contains(where: { !$0.isComment }) { rows = isHeader(row) ? [row] : [] }
        continue
      }
      // A comment with other columns than the first row is not its header.
      if let comment = rows.first, rows.count == 1, comment.isComment,
        comment.cells.count != row.cells.count
      {
        rows = []
      }
      // Spreadsheet programs write the delimiter in a line of its own.
      if row.cells[0].lowercased().hasPrefix("sep=") { continue }
      rows.append(row)
    }
  }

  /// Whether a comment may be the header of the rows that follow it.
  private func isHeader(_ comment: Row) -> Bool {
    comment.cells.count > 1 && ColumnNames.column(ColumnNames.url, in: comment.cells) != nil
  }

  /// The number of columns that the first row and nearly all others have; nil if it differs. A few bad rows do
  /// not make a table unreadable.
  var commonCount: Int? {
    guard let first = rows.first?.cells.count else { return nil }
    let others = rows.count { $0.cells.count != first }
    return others &* 8 <= rows.count ? first : nil
  }

  /// The number of columns that most rows have; the smaller one if as many rows have another one.
  var usualCount: Int {
    let rowCounts = Dictionary(rows.map { ($0.cells.count, 1) }, uniquingKeysWith: +)
    return rowCounts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
  }

  /// Whether the text begins as an absolute URL does.
  static func isURL(_ text: String) -> Bool {
    let start = text.utf8.prefix(8).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
  }
}
