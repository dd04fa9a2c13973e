import Models

/// Tells a row of a table that begins with a URL from a URL that contains the delimiter. Commas and semicolons are
/// legal in URLs; spaces and vertical bars are not, but lists have some in URLs nevertheless.
enum URLRow {
  /// Whether the row is a URL and text, none of which can be a part of that URL.
  static func isURLBeforeText(_ row: TableSample.Row, _ delimiter: UInt8) -> Bool {
    let cells = row.cells
    guard cells.count > 1, let first = cells.first, isPlain(first, delimiter) else { return false }
    // A path after the delimiter continues the URL, which needed quotation marks.
    if !isImage(first), continuesURL(cells[1]) { return false }
    if cells.dropFirst().contains(where: TableSample.isURL), !hasWords(row) { return false }
    return isSeparated(row, delimiter)
  }

  /// Whether the URL of an image file is followed by names.
  static func isImageBeforeName(_ cells: [String]) -> Bool {
    cells.count > 1 && isImage(cells[0]) && cells.dropFirst().allSatisfy(isWord)
  }

  /// Whether a URL is followed by words that could be a part of it, but would not be in a table.
  static func isURLBeforeWord(_ cells: [String]) -> Bool {
    guard cells.count > 1, TableSample.isURL(cells[0]), cells.dropFirst().allSatisfy(isWord) else {
      return false
    }
    return isImage(cells[0]) || !cells.dropFirst().contains(where: isImageName)
  }

  /// Returns whether a line that begins with a URL is a row of a table, so that the whole line is no URL.
  static func isRow(_ line: String) -> Bool {
    guard TableSample.isURL(line) else { return false }
    return [TableRecognition.bar, UInt8(ascii: ","), UInt8(ascii: ";")].contains { delimiter in
      let cells = line.utf8.split(separator: delimiter, omittingEmptySubsequences: false)
      guard cells.count > 1 else { return false }
      guard cells.count <= CSVParser.maximumColumns else { return true }
      let row = TableSample.Row(
        line: 0, cells: cells.map { trimmed(String($0) ?? "") }, hasQuotedCell: false,
        hasSpaceAfterDelimiter: cells.dropFirst().contains { $0.first == 0x20 })
      guard isPlain(row.cells[0], delimiter) else { return false }
      return isSeparated(row, delimiter)
        || (!hasQuery(row.cells[0]) && row.cells.dropFirst().contains(where: TableSample.isURL))
    }
  }

  /// Whether the delimiter cannot be a part of the URL before it.
  private static func isSeparated(_ row: TableSample.Row, _ delimiter: UInt8) -> Bool {
    let (url, rest) = (row.cells[0], row.cells.dropFirst())
    // Further parameters follow a value with spaces.
    if hasQuery(url), rest.contains(where: { !isWord($0) }) { return false }
    // Vertical bars are usual in queries, although they are not legal there either.
    if delimiter == TableRecognition.bar {
      return isImage(url) || !(hasQuery(url) || continuesURL(row.cells[1]))
    }
    if isImage(url) {
      return row.hasSpaceAfterDelimiter || rest.contains { $0.utf8.contains(0x20) }
    }
    // The name of an image file may have commas and spaces.
    return hasWords(row) && !isImageName(rest.last ?? "")
  }

  /// Whether there is a space after the first delimiter, but not in a path.
  private static func hasWords(_ row: TableSample.Row) -> Bool {
    let rest = row.cells.dropFirst()
    return rest.contains { $0.utf8.contains(0x20) && !$0.utf8.contains(0x2f) }
      || (row.hasSpaceAfterDelimiter && !rest.contains { $0.utf8.contains(0x2f) })
  }

  /// Whether a row begins with a URL that may name other URLs in its query, where commas may divide them.
  static func mayNameURLs(_ cells: [String]) -> Bool {
    TableSample.isURL(cells[0]) && hasQuery(cells[0])
  }

  /// Whether the cell is a URL without white space, and without one of the other delimiters behind the name of a file.
  private static func isPlain(_ cell: String, _ delimiter: UInt8) -> Bool {
    guard TableSample.isURL(cell), !cell.utf8.contains(0x09),
      !cell.utf8.contains(0x20) || delimiter == TableRecognition.bar
    else { return false }
    return ![TableRecognition.bar, UInt8(ascii: ","), UInt8(ascii: ";")].contains { other in
      guard other != delimiter, let end = cell.utf8.firstIndex(of: other) else { return false }
      return isImage(String(cell[..<end])) && isWord(String(cell[end...].dropFirst()))
    }
  }

  private static func continuesURL(_ cell: String) -> Bool {
    cell.utf8.contains(0x2f) && !cell.utf8.contains(0x20) && !TableSample.isURL(cell)
  }

  /// Whether the cell is no part of a path or of a parameter.
  private static func isWord(_ cell: String) -> Bool {
    !cell.utf8.contains(0x2f) && !cell.utf8.contains(UInt8(ascii: "="))
  }

  private static func hasQuery(_ url: String) -> Bool {
    url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
  }

  /// Whether the cell is the URL of an image file.
  private static func isImage(_ cell: String) -> Bool {
    guard TableSample.isURL(cell), let url = try? HTTPURL(cell) else { return false }
    return ResourceExpectation(url) == .image
  }

  private static func isImageName(_ cell: String) -> Bool {
    ResourceExpectation(fileName: cell) == .image
  }

  private static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { $0 != 0x20 }),
      let last = bytes.lastIndex(where: { $0 != 0x20 })
    else { return "" }
    return String(text[first...last])
  }
}
