import Models

/// The way in which a text was read. It is stored with the source, so that later readings agree with the first
/// one even if the rows by which it was recognised have changed.
public enum RecordedLayout: Sendable, Equatable {
  /// A URL on each line.
  case lines
  case table(RecordedTable)

  /// The layout as one line of text, such as `lines` or `table?delimiter=%2C&columns=2&url=1:link&record=2:title`.
  public var text: String {
    switch self {
    case .lines: "lines"
    case .table(let table): "table?" + table.text
    }
  }

  /// Parses the text of a layout; nil if a program that knows more layouts has written it. Unknown parts are
  /// ignored.
  public init?(text: String) {
    if text == "lines" {
      self = .lines
    } else if text.hasPrefix("table?"), let table = RecordedTable(text: text.dropFirst(6)) {
      self = .table(table)
    } else {
      return nil
    }
  }
}

/// The columns of a table as they were when it was read the first time.
public struct RecordedTable: Sendable, Equatable {
  /// A column by its number from 1, and by its name if the table has a header.
  struct Column: Sendable, Equatable {
    /// The largest length of a name in bytes; a column with a longer one has only its number.
    static let maximumName = 500

    let number: Int
    let name: String?

    init(number: Int, name: String?) {
      self.number = number
      self.name = name
    }

    init(_ index: Int, in header: [String]) {
      number = index &+ 1
      let name = header.indices.contains(index) ? header[index] : ""
      self.name = name.isEmpty || name.utf8.count > Self.maximumName ? nil : name
    }

    /// Returns the index of the column in a table of `count` columns; nil if it is gone. Columns with names may
    /// have changed their places.
    func index(in header: [String], count: Int) -> Int? {
      let place = number &- 1
      guard let name, !header.isEmpty else { return place < count ? place : nil }
      if place < header.count, header[place] == name { return place }
      let key = ColumnNames.key(name)
      return header.firstIndex(of: name)
        ?? (key.isEmpty ? nil : header.firstIndex { ColumnNames.key($0) == key })
    }
  }

  var delimiter: UInt8
  var columnCount: Int
  var url: Column
  var name: Column?
  var title: Column?
  /// The column of the titles of records. A later reading keeps to it, and to its absence, since otherwise the
  /// entries would belong to other records.
  var record: Column?
  var sha256: Column?

  var hasHeader: Bool { url.name != nil }
}

extension RecordedTable {
  fileprivate var text: String {
    let members = [
      ("url", url), ("name", name), ("title", title), ("record", record), ("sha256", sha256),
    ].compactMap { member, column in column.map { "\(member)=\($0.text)" } }
    let mark = PercentEncoding.encodeSegment(String(Unicode.Scalar(delimiter)))
    return (["delimiter=\(mark)", "columns=\(columnCount)"] + members).joined(separator: "&")
  }

  fileprivate init?(text: Substring) {
    var values: [Substring: Substring] = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    func column(_ name: Substring) -> Column? { values[name].flatMap { Column(text: $0) } }
    let mark = values["delimiter"].map { PercentEncoding.decode($0) }
    guard let delimiter = mark?.utf8.first, TableRecognition.delimiters.contains(delimiter),
      let count = values["columns"].flatMap({ Int($0) }), count > 0, let url = column("url")
    else { return nil }
    self.init(
      delimiter: delimiter, columnCount: count, url: url, name: column("name"),
      title: column("title"), record: column("record"), sha256: column("sha256"))
  }
}

extension RecordedTable.Column {
  fileprivate var text: String {
    "\(number)" + (name.map { ":\(PercentEncoding.encodeSegment($0))" } ?? "")
  }

  fileprivate init?(text: Substring) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard let number = parts.first.flatMap({ Int($0) }), number > 0 else { return nil }
    self.init(number: number, name: parts.count == 2 ? PercentEncoding.decode(parts[1]) : nil)
  }
}

extension TableLayout {
  /// The layout in the form in which the library stores it.
  var recorded: RecordedTable {
    func column(_ index: Int?) -> RecordedTable.Column? {
      index.map { RecordedTable.Column($0, in: header) }
    }
    return RecordedTable(
      delimiter: delimiter, columnCount: columnCount,
      url: RecordedTable.Column(url, in: header), name: column(name), title: column(title),
      record: column(record), sha256: column(sha256))
  }
}
