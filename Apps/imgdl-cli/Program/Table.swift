/// Rows in columns, for people; numbers to the right.
struct Table {
  enum Alignment { case left, right }

  private let header: [String]
  private let alignment: [Alignment]
  private var rows: [[String]] = []

  init(_ columns: [(String, Alignment)]) {
    header = columns.map(\.0)
    alignment = columns.map(\.1)
  }

  mutating func add(_ row: [String]) { rows.append(row.map { Console.escaped($0) }) }

  var lines: [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in
      all.map { CellWidth.of($0[column]) }.max() ?? 0
    }
    return all.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - CellWidth.of(cell))
        let isLast = column == row.count - 1
        line += alignment[column] == .right ? padding + cell : cell + (isLast ? "" : padding)
        if !isLast { line += "  " }
      }
      return line
    }
  }
}

/// How many cells of a terminal a text takes.
enum CellWidth {
  static func of(_ text: some StringProtocol) -> Int {
    text.utf8.count == text.count ? text.utf8.count : text.reduce(0) { $0 + width($1) }
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
}
