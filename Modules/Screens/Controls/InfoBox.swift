import Terminal

/// A box of names and values, drawn over an image.
enum InfoBox {
  static func draw(
    _ lines: [(name: String, value: String)], in area: Rect, on canvas: inout Canvas
  ) {
    let names = lines.map { TextWidth.columns($0.name) }.max() ?? 0
    let values = lines.map { TextWidth.columns($0.value) }.max() ?? 0
    let width = min(area.columns, names + values + 4)
    let box = Rect(area.column, area.row, width, min(area.rows, lines.count))
    canvas.fill(box, .dialog)
    canvas.withBackground(of: .dialog) { canvas in
      for (number, line) in lines.prefix(box.rows).enumerated() {
        let row = box.line(number).inset(columns: 1)
        canvas.text(line.name, in: row.prefix(columns: names), .key)
        canvas.text(line.value, in: row.dropping(columns: names + 1), .dialog)
      }
    }
  }
}
