/// A table whose rows are printed while they are read, so that the memory use does not depend on their
/// number.
///
/// The first rows determine the widths of the columns. On a terminal, a wider cell in a later row is
/// truncated; in other outputs it shifts the cells after it.
struct StreamedTable {
  /// The number of rows that determine the column widths; a shorter table uses all of its rows.
  static let sampleCount = 1_000

  private var table: Table
  private var output: RowOutput
  private var pending = 0
  /// The layout, or nil until `sampleCount` rows have been added.
  private var layout: ColumnWidths?
  private let console: Console

  init(
    _ columns: [(String, Table.Alignment)], dispensable: [String] = [], to console: Console
  ) {
    table = Table(columns, dispensable: dispensable)
    output = RowOutput(console)
    self.console = console
  }

  mutating func add(_ row: [String]) {
    if let layout { return write(row.map { Console.escaped($0) }, layout) }
    table.add(row)
    pending += 1
    if pending == Self.sampleCount { layOut() }
  }

  /// Prints the rows that are still buffered, and the names of the columns left out.
  mutating func finish() {
    if layout == nil { layOut() }
    output.flush()
    if let layout { table.printOmissions(layout, to: console) }
  }

  private mutating func layOut() {
    let layout = table.layout(columns: Console.columns(1))
    self.layout = layout
    write(table.header, layout)
    for row in table.drainRows() { write(row, layout) }
  }

  private mutating func write(_ row: [String], _ layout: ColumnWidths) {
    table.append(row, layout, to: &output.bytes)
    output.endLine()
  }
}
