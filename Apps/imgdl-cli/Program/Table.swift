import SystemCalls

/// A table of rows and columns for people.
struct Table {
  enum Alignment {
    case left, right
    /// Aligned to the left. On a narrow terminal the text is cut at its end.
    case text
    /// Aligned to the left. On a narrow terminal the text is cut in its middle, because its end may identify
    /// it.
    case name

    /// Whether cells of the column are cut before cells of other columns.
    var isElastic: Bool { self == .text || self == .name }
  }

  let header: [String]
  let alignment: [Alignment]
  /// The columns that are left out on a narrow terminal, the least important one first.
  private let dispensable: [Int]
  private var rows: [[String]] = []

  /// - Parameter dispensable: The headers of the columns that a narrow terminal omits, in this order.
  init(_ columns: [(String, Alignment)], dispensable: [String] = []) {
    header = columns.map(\.0)
    alignment = columns.map(\.1)
    self.dispensable = dispensable.compactMap(header.firstIndex)
  }

  mutating func add(_ row: [String]) { rows.append(row.map { Console.escaped($0) }) }

  /// Prints the table. On a terminal the table is made to fit; in other outputs no cell is cut.
  func print(to console: Console) {
    let layout = layout(columns: Console.columns(1))
    for line in lines(layout) { console.print(line) }
    printOmissions(layout, to: console)
  }

  /// Returns the lines of the table.
  /// - Parameter columns: The maximum width in cells, for which columns are left out and texts are cut; nil
  ///   means no limit.
  func lines(columns: Int? = nil) -> [String] { lines(layout(columns: columns)) }

  private func lines(_ layout: ColumnWidths) -> [String] {
    ([header] + rows).map { row in
      var line: [UInt8] = []
      append(row, layout, to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// Returns the layout for the rows that have been added so far.
  func layout(columns: Int?) -> ColumnWidths {
    var widths = header.map { CellWidth.columns(of: $0) }
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], CellWidth.columns(of: cell))
      }
    }
    return ColumnWidths(widths, alignment, columns: columns, dispensable: dispensable)
  }

  /// Prints a sentence that names the columns that were left out, if there are any.
  func printOmissions(_ layout: ColumnWidths, to console: Console) {
    let names = header.indices.filter { layout.widths[$0] == nil }.map { header[$0] }
    guard !names.isEmpty else { return }
    console.printWrappedNote("The terminal is too narrow for \(names.joined(separator: ", ")).")
  }

  /// Removes and returns the rows that have been added so far.
  mutating func drainRows() -> [[String]] {
    defer { rows = [] }
    return rows
  }

  /// Appends a row to the line, without a line break.
  func append(_ row: [String], _ layout: ColumnWidths, to line: inout [UInt8]) {
    let start = line.count
    for (column, cell) in row.enumerated() {
      guard let room = layout.widths[column] else { continue }
      if line.count > start { line += [0x20, 0x20] }
      var (cell, width) = (cell, CellWidth.columns(of: cell))
      if layout.columns != nil, width > room {
        cell =
          alignment[column] == .name
          ? CellWidth.fitMiddle(cell, room) : CellWidth.fit(cell, room)
        width = CellWidth.columns(of: cell)
      }
      let padding = repeatElement(UInt8(ascii: " "), count: max(0, room - width))
      if alignment[column] == .right { line += padding }
      line += cell.utf8
      if alignment[column] != .right { line += padding }
    }
    while line.count > start, line.last == UInt8(ascii: " ") { line.removeLast() }
    guard layout.isTooWide, let columns = layout.columns else { return }
    let fitting = CellWidth.fit(String(decoding: line[start...], as: UTF8.self), columns)
    line.replaceSubrange(start..., with: fitting.utf8)
  }
}
