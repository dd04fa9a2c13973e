import Models

/// Reads the rows of a table of URLs as entries. Rows with the same title of a record belong to the same record,
/// also if they do not follow each other.
struct TableReader: Sendable {
  private let layout: TableLayout
  /// The columns of checksums, the best one first.
  private let checksums: [TableLayout.ChecksumColumn]
  private var parser: CSVParser
  /// The title of the current record; nil before the first one.
  private var record: String?
  /// The first column in which a text was not UTF-8; nil if all texts were.
  private var otherEncoding: Int?
  /// The first text in a column of checksums that is none; nil if all are.
  private var otherDigits: (text: String, column: TableLayout.ChecksumColumn)?

  init(_ layout: TableLayout, limits: ManifestLimits) {
    self.layout = layout
    let sha256 = layout.sha256.map { TableLayout.ChecksumColumn(index: $0, algorithm: .sha256) }
    checksums = (sha256.map { [$0] } ?? []) + layout.otherChecksums
    parser = CSVParser(delimiter: layout.delimiter, limits: limits)
  }

  mutating func receive(_ bytes: RawSpan, into collector: inout EntryCollector) {
    parser.append(bytes)
    read(into: &collector)
  }

  mutating func finish(into collector: inout EntryCollector) {
    parser.finish()
    read(into: &collector)
  }

  private mutating func read(into collector: inout EntryCollector) {
    while !collector.isOver, let event = parser.next() {
      switch event {
      case .row:
        guard parser.rowLine > layout.headerLine ?? 0, !isComment else { continue }
        addRow(to: &collector)
      case .fault(let line, let column, let reason):
        collector.addProblem("column \(column): \(reason)", line: line)
      }
    }
  }

  private var isComment: Bool {
    guard !parser.isQuoted(0), let first = parser.text(0), first.hasPrefix("#") else {
      return false
    }
    return !TableSample.isURL(parser.decodedText(layout.url))
  }

  private mutating func addRow(to collector: inout EntryCollector) {
    let (hadOtherEncoding, hadOtherDigits) = (otherEncoding != nil, otherDigits != nil)
    var further: ArraySlice<String> = []
    let draft = draft(&further)
    let title = text(layout.record)
    // A remark for each row would hide other problems.
    if let otherEncoding, !hadOtherEncoding { addRemark(otherEncoding, to: &collector) }
    if let otherDigits, !hadOtherDigits { addRemark(otherDigits, to: &collector) }
    if let title, title != record, draft.fault == nil {
      record = title
      if let title = ManifestTitle.cleaned(title) {
        collector.items.append(.record(title: title))
      }
    }
    collector.addEntry(draft, line: parser.rowLine)
    for url in further {
      var next = draft
      next.url = url
      collector.addEntry(next, line: parser.rowLine)
    }
  }

  /// Adds the remark that a text of the current row is not UTF-8.
  private func addRemark(_ column: Int, to collector: inout EntryCollector) {
    collector.addRemark(
      "column \(column &+ 1): is not UTF-8; the names and titles are read as windows-1252. If they are wrong, "
        + "convert the list to UTF-8", line: parser.rowLine)
  }

  /// Adds the remark that a text in the column of checksums is none.
  private func addRemark(
    _ other: (text: String, column: TableLayout.ChecksumColumn), to collector: inout EntryCollector
  ) {
    let column = other.column
    collector.addRemark(
      "column \(column.index &+ 1): \(Excerpt.quote(other.text)) is not the \(column.algorithm.title) of a file in "
        + "\(2 * column.algorithm.byteCount) hexadecimal digits or in Base64; such values are not used",
      line: parser.rowLine)
  }

  /// Returns the entry of the current row.
  /// - Parameter further: Receives the further URLs of its cell, which are entries with the same title.
  private mutating func draft(_ further: inout ArraySlice<String>) -> EntryDraft {
    let column = layout.url &+ 1
    guard layout.url < parser.columnCount else {
      return .faulty("has \(parser.columnCount) columns, but the URL is in column \(column)")
    }
    // A delimiter in a URL without quotation marks moves the cells after it.
    if layout.delimiter != 0x09, hasSurplus {
      return .faulty(
        "has \(parser.columnCount) columns instead of \(layout.columnCount); text with a delimiter needs "
          + "quotation marks")
    }
    guard let cell = parser.text(layout.url) else {
      return .faulty("column \(column): is not UTF-8")
    }
    let urls = CellURLs(cell).urls
    guard let url = urls.first, !url.isEmpty else { return .faulty("column \(column): has no URL") }
    guard !url.utf8.contains(0x20) || TableSample.isURL(url) else {
      return .faulty("column \(column): \(Excerpt.quote(url)) is not a URL")
    }
    var draft = EntryDraft()
    draft.url = url
    draft.name = text(layout.name)
    draft.title = text(layout.title)
    // A checksum beside several URLs could be that of any of their files.
    if urls.count == 1 { draft.checksum = statedChecksum() }
    further = urls.dropFirst()
    return draft
  }

  /// Returns the first checksum of the row. The names of the columns alone tell their meaning, so that a text of
  /// another form does not prevent the download: it may be the hash of something else.
  private mutating func statedChecksum() -> EntryDraft.StatedChecksum? {
    for column in checksums {
      guard let text = text(column.index) else { continue }
      if let checksum = Checksum(column.algorithm, stated: text) {
        return EntryDraft.StatedChecksum(checksum.algorithm, checksum.digits)
      }
      otherDigits = otherDigits ?? (text, column)
    }
    return nil
  }

  /// Whether the row has cells beyond the last column that are not empty.
  private var hasSurplus: Bool {
    guard parser.columnCount > layout.columnCount else { return false }
    return (layout.columnCount..<parser.columnCount).contains {
      !parser.decodedText($0).isEmpty
    }
  }

  /// Returns the text of a column; nil if it is empty.
  private mutating func text(_ column: Int?) -> String? {
    guard let column, column < parser.columnCount else { return nil }
    if let text = parser.text(column) { return text.isEmpty ? nil : text }
    otherEncoding = otherEncoding ?? column
    return parser.decodedText(column)
  }
}
