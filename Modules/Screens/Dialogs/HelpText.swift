import Terminal

/// The text of the help, generated from the key table.
enum HelpText {
  struct Line: Equatable {
    var keys: String
    var text: String
  }

  static func lines(_ place: ScreenKind) -> [Line] {
    KeyBindings.bindings(in: place).map { binding in
      Line(keys: binding.strokes.map(\.label).joined(separator: " "), text: binding.help)
    } + mouse(in: place)
  }

  private static func mouse(in place: ScreenKind) -> [Line] {
    switch place {
    case .records, .resources:
      [
        Line(keys: "Click", text: "Open an item; press a button; move the slider"),
        Line(keys: "Hold", text: "Lift an item"),
        Line(keys: "Wheel", text: "Scroll; three times beyond the top: refresh"),
      ]
    case .details:
      [
        Line(keys: "Click", text: "Open a row; on a heading: sort by it"),
        Line(keys: "Wheel", text: "Scroll"),
      ]
    case .viewer, .slices:
      [
        Line(keys: "Click", text: "Press a button; move the slider"),
        Line(keys: "Wheel", text: "Next or previous \(place == .viewer ? "image" : "slice")"),
      ]
    }
  }

  /// Returns the lines as they are drawn: a text that is too long for the window is wrapped.
  private static func rows(_ place: ScreenKind, _ size: Size) -> [Line] {
    let lines = lines(place)
    let room = width(size) - 4 - keyColumns(lines) - 2
    return lines.flatMap { line in
      line.text.wrapped(to: room).enumerated().map { number, text in
        Line(keys: number == 0 ? line.keys : "", text: text)
      }
    }
  }

  private static func keyColumns(_ lines: [Line]) -> Int {
    lines.map { TextWidth.columns($0.keys) }.max() ?? 0
  }

  private static func width(_ size: Size) -> Int { min(76, size.columns - 2) }

  private static func box(_ place: ScreenKind, _ size: Size) -> Size {
    Size(width(size), min(rows(place, size).count + 4, size.rows - 2))
  }

  static func lastTop(_ place: ScreenKind, _ size: Size) -> Int {
    max(0, rows(place, size).count - (box(place, size).rows - 3))
  }

  static func draw(_ place: ScreenKind, top: Int, on canvas: inout Canvas) {
    let size = canvas.bounds.size
    let lines = rows(place, size)
    var area = DialogFrame.draw("Keys: \(place.title)", box(place, size), on: &canvas)
    let footer = area.removeBottom(1)
    let width = keyColumns(lines)
    canvas.withBackground(of: .dialog) { canvas in
      for line in lines.dropFirst(top).prefix(area.rows) {
        let row = area.removeTop(1)
        canvas.text(line.keys, in: row.prefix(columns: width), .key)
        canvas.text(line.text, in: row.dropping(columns: width + 2), .dialog)
      }
      let isAll = top >= lastTop(place, size)
      let text =
        isAll && top == 0
        ? "Any key closes"
        : size.columns < 50 ? "↑ ↓ scroll, others close" : "↑ ↓ scroll; any other key closes"
      canvas.text(text, in: footer, .dim)
      canvas.hit(footer, .button(0))
    }
  }
}
