import Terminal

/// The help, made of the key table.
enum HelpText {
  struct Line: Equatable {
    var keys: String
    var text: String
  }

  static func lines(_ place: Place) -> [Line] {
    KeyTable.bindings(in: place).map { binding in
      Line(keys: binding.strokes.map(\.label).joined(separator: " "), text: binding.help)
    } + [
      Line(keys: "click", text: "Open; press a button; drag a slider"),
      Line(keys: "wheel", text: "Scroll; beyond the top three times: refresh"),
    ]
  }

  private static func box(_ place: Place, _ size: Size) -> Size {
    Size(min(76, size.columns - 2), min(lines(place).count + 4, size.rows - 2))
  }

  static func lastTop(_ place: Place, _ size: Size) -> Int {
    max(0, lines(place).count - (box(place, size).rows - 3))
  }

  static func draw(_ place: Place, top: Int, on canvas: inout Canvas) {
    let lines = lines(place)
    let box = box(place, canvas.bounds.size)
    var area = DialogFrame.draw("Keys: \(place.title)", box, on: &canvas)
    let footer = area.takeBottom(1)
    let width = lines.map { TextWidth.columns($0.keys) }.max() ?? 0
    canvas.on(.dialog) { canvas in
      for line in lines.dropFirst(top).prefix(area.rows) {
        let row = area.takeTop(1)
        canvas.text(line.keys, in: row.prefix(columns: width), .key)
        canvas.text(line.text, in: row.dropping(columns: width + 2), .dialog)
      }
      let isAll = top >= lastTop(place, canvas.bounds.size)
      canvas.text(
        isAll && top == 0 ? "Any key closes" : "↑ ↓ scroll, any other key closes", in: footer,
        .dim)
      canvas.hit(footer, .button(0))
    }
  }
}
