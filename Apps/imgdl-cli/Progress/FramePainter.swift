/// Draws lines over the ones that were drawn before. Pure: text for the terminal comes out.
struct FramePainter {
  /// Cells of each line that is on the screen.
  private var drawn: [Int] = []
  private var columns = 0

  /// The lines in place of the ones that are there; the cursor ends up below them.
  mutating func paint(_ lines: [String], columns: Int) -> String {
    let lines = lines.map { CellWidth.fit($0, max(1, columns - 1)) }
    var text: String
    if columns == self.columns, lines.count >= drawn.count {
      // Each line is cleared as it is written: nothing flickers.
      text = drawn.isEmpty ? "" : "\u{1b}[\(drawn.count)A"
      for line in lines { text += "\r\u{1b}[K\(line)\n" }
    } else {
      text = erase(columns: columns)
      for line in lines { text += "\(line)\n" }
    }
    drawn = lines.map { CellWidth.of($0) }
    self.columns = columns
    return text
  }

  /// Clears what is drawn; the cursor is where it began.
  mutating func erase(columns: Int) -> String {
    // A terminal that became narrower has broken the lines.
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + max(1, columns) - 1) / max(1, columns)) }
    drawn = []
    return rows > 0 ? "\u{1b}[\(rows)A\r\u{1b}[J" : ""
  }
}
