/// Rows for people that are printed while they are read: memory does not depend on how many there are.
///
/// The first rows decide how wide the columns are. A later cell that is wider is cut on a terminal, as
/// everywhere, and elsewhere moves the cells behind it.
struct StreamedTable {
  /// Rows that decide; a shorter table is laid out as if it were held whole.
  static let sampleCount = 1_000

  private var table: Table
  private var output: RowOutput
  private var pending = 0
  /// nil before it is decided.
  private var layout: TableLayout?
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

  /// Prints what is still held.
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

  private mutating func write(_ row: [String], _ layout: TableLayout) {
    table.append(row, layout, to: &output.bytes)
    output.endLine()
  }
}
