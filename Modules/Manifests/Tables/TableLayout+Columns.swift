import Models

extension TableLayout {
  /// A reason why a text is not a table of URLs.
  struct Fault: Error, Equatable {
    var line: Int?
    let reason: String
  }

  /// The text in which a table is looked for, and what is known about it.
  struct Search {
    /// The first bytes of the text.
    var sample: [UInt8]
    /// Whether these are all bytes.
    var isWhole: Bool
    /// The requested format, `csv` or `tsv`; nil to recognise it.
    var format: ManifestFormat?
    /// The columns that the user names; naming one demands a table.
    var columns: ListColumns
    /// The way in which an earlier reading has read the text; nil if it is not known.
    var recorded: RecordedLayout?
    /// Whether the name of the text is that of a table.
    var isNamedTable: Bool

    var isDemanded: Bool { format != nil || !columns.isEmpty }
  }

  /// Finds the layout of a text that is read as a table.
  ///
  /// - Returns: The layout; nil if the text is not a table and none is demanded.
  static func find(_ search: Search, limits: ManifestLimits) throws(Fault) -> TableLayout? {
    let columns = search.columns
    let delimiters: [UInt8] = search.format == .tsv ? [0x09] : TableRecognition.delimiters
    let tables = delimiters.map {
      TableSample(search.sample, delimiter: $0, isWhole: search.isWhole, limits: limits)
    }
    let narrow = tables.filter { $0.tooWideLine == nil }
    var recorded: RecordedTable?
    if case .table(let table)? = search.recorded {
      recorded = table
      if let (table, hasHeader) = table.match(narrow) {
        return try layout(of: table, hasHeader: hasHeader, columns, recorded)
      }
    }
    if let found = TableRecognition.recognise(narrow, isNamedTable: search.isNamedTable),
      columns.isEmpty && (search.recorded != .lines || search.format != nil) || found.hasHeader
    {
      return try layout(of: found.table, hasHeader: found.hasHeader, columns, recorded)
    }
    if let line = tables.compactMap(\.tooWideLine).min() {
      throw Fault(line: line, reason: CSVParser.tooManyColumns)
    }
    guard search.isDemanded, let table = mostLikely(tables) else { return nil }
    return try layout(of: table, hasHeader: hasHeader(table, columns), columns, recorded)
  }

  /// Returns the reading with the most columns; one with the same number of columns in all rows is preferred.
  /// Vertical bars are the delimiter only if nothing else is.
  private static func mostLikely(_ tables: [TableSample]) -> TableSample? {
    let filled = tables.filter { !$0.rows.isEmpty }
    let usual = filled.filter { table in
      table.delimiter != TableRecognition.bar && table.rows.contains { $0.cells.count > 1 }
    }
    return (usual.isEmpty ? filled : usual).max { likelihood($0) < likelihood($1) }
  }

  private static func likelihood(_ table: TableSample) -> Int {
    let count = table.rows.reduce(0) { $0 &+ $1.cells.count }
    guard let common = table.commonCount, common > 1 else { return count }
    return common &+ CSVParser.maximumColumns &* TableSample.maximumRows
  }

  /// Whether the first row of a table that is not recognised by itself is its header.
  private static func hasHeader(_ table: TableSample, _ columns: ListColumns) -> Bool {
    let first = table.rows[0]
    if first.hasURL { return false }
    let names = [columns.url, columns.name, columns.title, columns.sha256].compactMap { $0 }
    if names.contains(where: { Int($0) == nil }) { return true }
    return ColumnNames.column(ColumnNames.url, in: first.cells) != nil
      || table.rows.contains(where: \.hasURL)
  }

  private static func layout(
    of table: TableSample, hasHeader: Bool, _ columns: ListColumns, _ recorded: RecordedTable?
  ) throws(Fault) -> TableLayout {
    let first = table.rows[0]
    let header = hasHeader ? first.cells : []
    let rows = hasHeader ? Array(table.rows.dropFirst()) : table.rows
    let count = hasHeader ? first.cells.count : max(first.cells.count, table.usualCount)
    func find(
      _ recorded: RecordedTable.Column?, _ text: String?, _ option: String
    ) throws(Fault) -> Int? {
      if let column = recorded?.index(in: header, count: count) { return column }
      guard let text else { return nil }
      return try column(text, option, header, count: count, line: first.line)
    }
    let url = try find(recorded?.url, columns.url, "--url-column") ?? urlColumn(header, rows)
    guard let url else {
      throw Fault(reason: "no column has URLs; name it with --url-column")
    }
    var layout = TableLayout(
      delimiter: table.delimiter, headerLine: hasHeader ? first.line : nil, header: header,
      columnCount: 0, url: url)
    layout.name = try find(recorded?.name, columns.name, "--name-column")
    layout.title = try find(recorded?.title, nil, "")
    layout.record = try find(recorded?.record, columns.title, "--title-column")
    layout.sha256 = try find(recorded?.sha256, columns.sha256, "--sha256-column")
    let used = [layout.url, layout.name, layout.title, layout.record, layout.sha256]
    layout.columnCount = max(
      hasHeader ? count : table.usualCount, used.compactMap { $0 }.max().map { $0 &+ 1 } ?? 0)
    layout.addUsual(rows, hadRecords: recorded.map { $0.record != nil })
    return layout
  }

  /// Finds a column by the name or the number that the user gives.
  private static func column(
    _ text: String, _ option: String, _ header: [String], count: Int, line: Int
  ) throws(Fault) -> Int {
    if let exact = header.firstIndex(of: text) { return exact }
    let key = ColumnNames.key(text)
    if !key.isEmpty, let found = header.firstIndex(where: { ColumnNames.key($0) == key }) {
      return found
    }
    if let number = Int(text) {
      guard (1...count).contains(number) else {
        throw Fault(line: line, reason: "\(option) \(number): the table has \(count) columns")
      }
      return number &- 1
    }
    guard !header.isEmpty else {
      throw Fault(
        line: line,
        reason:
          "\(option) \(Excerpt.quote(text)): the table has no header; give the column's number")
    }
    throw Fault(
      line: line,
      reason: "\(option) \(Excerpt.quote(text)): no such column; the header has "
        + header.prefix(20).map { Excerpt.quote($0) }.joined(separator: ", "))
  }

  private static func urlColumn(_ header: [String], _ rows: [TableSample.Row]) -> Int? {
    let keys = header.map(ColumnNames.key)
    var named: Int?
    for name in ColumnNames.url {
      for column in keys.indices where keys[column] == name {
        let hasURLs = rows.contains {
          $0.cells.count > column && TableSample.isURL($0.cells[column])
        }
        if hasURLs { return column }
        named = named ?? column
      }
    }
    return TableRecognition.urlColumn(rows) ?? named
  }

  /// Finds the columns that the user does not name by their usual names.
  /// - Parameter hadRecords: Whether an earlier reading has found a column of records; nil if there was none.
  private mutating func addUsual(_ rows: [TableSample.Row], hadRecords: Bool?) {
    var used: Set<Int> = [url]
    used.formUnion([name, title, record, sha256].compactMap { $0 })
    func usual(_ names: [String]) -> Int? {
      ColumnNames.column(names, in: header, except: used)
    }
    let isExported = header.starts(with: ColumnNames.exported)
    let paths = pathColumns(rows, isExported: isExported)
    used.formUnion(paths)
    name = name ?? usual(ColumnNames.name)
    sha256 = sha256 ?? usual(ColumnNames.sha256)
    if hadRecords != false { record = record ?? usual(ColumnNames.record) }
    used.formUnion([name, record, sha256].compactMap { $0 })
    otherChecksums = ColumnNames.otherChecksums(in: header, except: used)
    if let column = usual([ColumnNames.recordOrTitle]) {
      if record == nil, hadRecords ?? (!isExported && Self.repeats(column, rows)) {
        record = column
      } else {
        title = title ?? column
      }
      used.insert(column)
    }
    title = title ?? usual(ColumnNames.title)
    // The only other column of a table of two can hardly be anything but a title, unless its name or
    // its values say so.
    if columnCount == 2, name == nil, record == nil, sha256 == nil,
      !paths.contains(1 &- url), !hasChecksums(1 &- url, rows),
      !Self.values(1 &- url, rows).contains(where: TableSample.isURL)
    {
      title = 1 &- url
    }
  }

  /// Returns the columns that have paths within a library, whose folders and numbers are not parts of names.
  private func pathColumns(_ rows: [TableSample.Row], isExported: Bool) -> Set<Int> {
    guard let column = ColumnNames.column([ColumnNames.file], in: header), column != name else {
      return []
    }
    let values = Self.values(column, rows)
    let hasPaths = !values.isEmpty && values.allSatisfy { $0.utf8.contains(UInt8(ascii: "/")) }
    return isExported || hasPaths ? [column] : []
  }

  /// Whether the header or all values of a column tell that it has checksums.
  private func hasChecksums(_ column: Int, _ rows: [TableSample.Row]) -> Bool {
    if header.indices.contains(column) { return ColumnNames.isChecksum(header[column]) }
    let values = Self.values(column, rows)
    guard let length = values.first?.utf8.count,
      Checksum.Algorithm.allCases.contains(where: { 2 &* $0.byteCount == length })
    else { return false }
    return values.allSatisfy { $0.utf8.count == length && Hexadecimal.bytes($0) != nil }
  }

  /// Returns the texts of a column that are not empty.
  private static func values(_ column: Int, _ rows: [TableSample.Row]) -> [String] {
    rows.compactMap { $0.cells.count > column ? $0.cells[column] : nil }.filter { !$0.isEmpty }
  }

  /// Whether successive rows often have the same title, which is then that of a record and not of an image.
  private static func repeats(_ column: Int, _ rows: [TableSample.Row]) -> Bool {
    let titles = rows.map { $0.cells.count > column ? $0.cells[column] : "" }
    let same = zip(titles, titles.dropFirst()).count { $0 == $1 && !$0.isEmpty }
    return same > 0 && same &* 4 >= titles.count
  }
}
