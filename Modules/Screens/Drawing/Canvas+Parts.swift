import Models
import Terminal

/// Parts that several screens draw.
extension Canvas {
  /// - Parameter right: The text at the right, for which the title is truncated if space is short.
  mutating func title(_ left: String, _ right: String, in area: Rect) {
    fill(area, .title)
    let inner = area.inset(columns: 1)
    let used = text(right, in: inner, .title, .right)
    text(left, in: inner.prefix(columns: inner.columns - used - (used > 0 ? 2 : 0)), .title)
  }

  /// Draws a grey placeholder for an image that is not available yet (DL10).
  /// - Parameter cell: The size of a cell in pixels.
  mutating func placeholder(_ lines: [String], in area: Rect, cell: Size) {
    let box = PixelSize(4, 3).fittedRect(in: area, cell: PixelSize(cell.columns, cell.rows))
    fill(box, .placeholder)
    for (number, line) in lines.enumerated() {
      let row = box.line(max(0, box.rows / 2 - lines.count / 2) + number)
      text(line, in: row.inset(columns: 1), .placeholder, .centre)
    }
  }

  /// The largest number of lines of a message.
  private static let messageLines = 3

  /// Draws a message in up to three lines. Text that does not fit into `area` also covers the lines above it.
  mutating func message(_ text: String, _ ink: TextRole, in area: Rect) {
    // Only the visible part is wrapped, because this code runs for every frame.
    let shown = String(CredentialMask.masked(text).prefix(area.columns * (Self.messageLines + 1)))
    let lines = shown.wrapped(to: area.columns - 2)
    let count = min(lines.count, Self.messageLines, area.row)
    for (number, line) in lines.prefix(count).enumerated() {
      let row = Rect(area.column, area.row - count + 1 + number, area.columns, 1)
      let isCut = number == count - 1 && count < lines.count
      fill(row, .text)
      self.text(
        isCut ? lines[number...].joined(separator: " ") : line, in: row.inset(columns: 1), ink)
    }
  }
}
