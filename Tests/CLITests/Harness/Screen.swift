/// A small terminal: shows what a program's output looks like. Understands what ours uses, and the
/// breaking of long lines.
struct Screen {
  let columns: Int
  let rows: Int
  private var cells: [[Character]]
  private var row = 0
  private var column = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: [], count: rows)
  }

  /// The lines without trailing spaces and without empty ones below.
  var lines: [String] {
    var lines = cells.map { line in
      var text = String(line)
      while text.last == " " { text.removeLast() }
      return text
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  mutating func show(_ output: String) {
    // A carriage return and a line feed are one character to Swift.
    var rest = Substring(output.replacing("\r\n", with: "\r\u{0}"))
    while let character = rest.popFirst() {
      switch character {
      case "\u{1b}": obey(&rest)
      case "\r": column = 0
      case "\u{0}", "\n": feed()
      default: put(character)
      }
    }
  }

  private mutating func obey(_ rest: inout Substring) {
    guard rest.popFirst() == "[" else { return }
    let number = rest.prefix { $0.isNumber || $0 == ";" }
    rest = rest.dropFirst(number.count)
    switch rest.popFirst() {
    case "A": row = max(0, row - (Int(number) ?? 1))
    case "K": cells[row] = Array(cells[row].prefix(column))
    case "J":
      cells[row] = Array(cells[row].prefix(column))
      for below in (row + 1)..<max(rows, row + 1) { cells[below] = [] }
    default: break
    }
  }

  private mutating func feed() {
    if row < rows - 1 {
      row += 1
    } else {
      cells.removeFirst()
      cells.append([])
    }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      feed()
      column = 0
    }
    while cells[row].count <= column { cells[row].append(" ") }
    cells[row][column] = character
    column += 1
  }
}
