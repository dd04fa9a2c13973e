import SystemCalls

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
  /// nil before they are decided.
  private var widths: [Int]?
  private let columns: Int?

  init(_ columns: [(String, Table.Alignment)], to output: RowOutput) {
    table = Table(columns)
    self.output = output
    self.columns = Machine.isTerminal(1) ? Machine.terminalSize(1)?.columns : nil
  }

  mutating func add(_ row: [String]) {
    if let widths { return write(row.map { Console.escaped($0) }, widths) }
    table.add(row)
    pending += 1
    if pending == Self.sampleCount { layOut() }
  }

  /// Prints what is still held.
  mutating func finish() {
    if widths == nil { layOut() }
    output.flush()
  }

  private mutating func layOut() {
    let widths = table.widths(columns: columns)
    self.widths = widths
    write(table.header, widths)
    for row in table.takeRows() { write(row, widths) }
  }

  private mutating func write(_ row: [String], _ widths: [Int]) {
    table.append(row, widths, isCut: columns != nil, to: &output.bytes)
    output.endLine()
  }
}
