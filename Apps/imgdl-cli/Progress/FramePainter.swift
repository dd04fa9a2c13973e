/// Redraws lines on a terminal. The functions perform no output; they return the text to write.
struct FramePainter {
  /// The width in cells of each line that is on the screen.
  private var drawn: [Int] = []
  private var columns = 0

  /// Returns the text that replaces the drawn lines by new ones and leaves the cursor below them.
  mutating func paint(_ lines: [String], columns: Int) -> String {
    let lines = lines.map { CellWidth.fit($0, max(1, columns - 1)) }
    var text: String
    if columns == self.columns, lines.count >= drawn.count {
      // Each line is cleared immediately before it is written, which avoids flicker.
      text = drawn.isEmpty ? "" : "\u{1b}[\(drawn.count)A"
      for line in lines { text += "\r\u{1b}[K\(line)\n" }
    } else {
      text = erase(columns: columns)
      for line in lines { text += "\(line)\n" }
    }
    drawn = lines.map { CellWidth.columns(of: $0) }
    self.columns = columns
    return text
  }

  /// Returns the text that clears the drawn lines and moves the cursor to the start of the first one.
  mutating func erase(columns: Int) -> String {
    // A terminal that has become narrower wraps each drawn line into several rows.
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + max(1, columns) - 1) / max(1, columns)) }
    drawn = []
    return rows > 0 ? "\u{1b}[\(rows)A\r\u{1b}[J" : ""
  }
}
