import SystemCalls

/// Rows in columns, for people; numbers to the right.
struct Table {
  enum Alignment {
    case left, right
    /// To the left; cut at its end where a terminal is too narrow.
    case text
    /// To the left; cut in its middle, for names whose end tells most.
    case name
  }

  let header: [String]
  let alignment: [Alignment]
  private var rows: [[String]] = []

  init(_ columns: [(String, Alignment)]) {
    header = columns.map(\.0)
    alignment = columns.map(\.1)
  }

  mutating func add(_ row: [String]) { rows.append(row.map { Console.escaped($0) }) }

  /// Prints it. On a terminal it is made to fit; elsewhere nothing is cut.
  func print(to console: Console) {
    let columns = Machine.isTerminal(1) ? Machine.terminalSize(1)?.columns : nil
    for line in lines(columns: columns) { console.print(line) }
  }

  /// - Parameter columns: so wide at most, by cutting the longest texts; nil: as wide as it is.
  func lines(columns: Int? = nil) -> [String] {
    let widths = widths(columns: columns)
    return ([header] + rows).map { row in
      var line: [UInt8] = []
      append(row, widths, isCut: columns != nil, to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// The width of each column that the rows so far need.
  func widths(columns: Int?) -> [Int] {
    var widths = header.map { CellWidth.of($0) }
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], CellWidth.of(cell))
      }
    }
    if let columns { fit(&widths, columns) }
    return widths
  }

  /// Gives up the rows so far.
  mutating func takeRows() -> [[String]] {
    defer { rows = [] }
    return rows
  }

  /// Writes a row without its line end.
  /// - Parameter isCut: a cell that is wider than its column is cut; otherwise it moves those behind it.
  func append(_ row: [String], _ widths: [Int], isCut: Bool, to line: inout [UInt8]) {
    for (column, cell) in row.enumerated() {
      if column > 0 { line += [0x20, 0x20] }
      var (cell, width) = (cell, CellWidth.of(cell))
      if isCut, width > widths[column] {
        cell =
          alignment[column] == .name
          ? CellWidth.fitMiddle(cell, widths[column]) : CellWidth.fit(cell, widths[column])
        width = CellWidth.of(cell)
      }
      let padding = repeatElement(UInt8(ascii: " "), count: max(0, widths[column] - width))
      if alignment[column] == .right { line += padding }
      line += cell.utf8
      if alignment[column] != .right { line += padding }
    }
    while line.last == UInt8(ascii: " ") { line.removeLast() }
  }

  /// Takes from the widest text, a cell at a time, never below what is readable.
  private func fit(_ widths: inout [Int], _ columns: Int) {
    let least = 8
    var excess = widths.reduce(2 * (widths.count - 1), +) - columns
    while excess > 0,
      let widest = widths.indices.filter({ isElastic($0) && widths[$0] > least })
        .max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func isElastic(_ column: Int) -> Bool {
    alignment[column] == .text || alignment[column] == .name
  }
}

/// How many cells of a terminal a text takes.
enum CellWidth {
  static func of(_ text: some StringProtocol) -> Int {
    if text.octetsSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    // Below U+0300, the first combining mark, a character is one scalar of one cell. The octets tell that
    // in a fraction of the time that finding characters takes.
    if text.octetsSatisfy({ $0 < 0xcc }) { return text.unicodeScalars.count }
    return text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
      return 2
    default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }

  /// The beginning of a text that fits, with `…` where it was cut.
  static func fit(_ text: String, _ width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 1 else { return width == 1 ? "…" : "" }
    var output = ""
    var used = 1
    for character in text {
      used += self.width(character)
      if used > width { break }
      output.append(character)
    }
    return output + "…"
  }

  /// The beginning and the end of a text that fit, with `…` where it was cut.
  static func fitMiddle(_ text: String, _ width: Int) -> String {
    guard of(text) > width, width > 2 else { return fit(text, width) }
    var end = ""
    var used = 0
    for character in text.reversed() {
      used += self.width(character)
      if used > width / 2 { break }
      end.insert(character, at: end.startIndex)
    }
    return fit(text, width - of(end)) + end
  }
}

extension StringProtocol {
  /// Whether all octets of the UTF-8 form pass, by one loop over memory: the view's own iteration takes
  /// several times as long, and this is asked of every cell of a million rows.
  func octetsSatisfy(_ test: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy(test) } ?? utf8.allSatisfy(test)
  }
}
