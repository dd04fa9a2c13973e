import Terminal

/// The buttons of a screen, in one or two lines. Buttons that do not fit are omitted, except Help, which
/// lists the commands of all buttons.
struct ButtonBar {
  struct Button {
    /// The key that performs the same command.
    var stroke: String
    var label: String
    var command: Command
    var isEnabled: Bool

    /// Whether the button is always shown, at the end of the last line: Help and Back.
    fileprivate var isLast: Bool { command == .help || command == .back }

    /// The width in cells, including the gap behind the button.
    fileprivate var columns: Int { TextWidth.columns(stroke) + 1 + TextWidth.columns(label) + 2 }

    fileprivate func draw(in area: Rect, on canvas: inout Canvas) {
      let used = canvas.text(stroke, in: area, isEnabled ? .key : .disabled)
      canvas.text(label, in: area.dropping(columns: used + 1), isEnabled ? .text : .disabled)
      if isEnabled { canvas.hit(area.prefix(columns: area.columns - 2), .command(command)) }
    }
  }

  private let buttons: [Button]

  init(_ buttons: [Button]) { self.buttons = buttons }

  /// The width in cells of all buttons in one line.
  var columns: Int { buttons.reduce(0) { $0 + $1.columns } - 2 }

  func draw(in area: Rect, on canvas: inout Canvas) {
    let last = buttons.filter(\.isLast)
    let tail = last.reduce(0) { $0 + $1.columns }
    var lines = (0..<area.rows).map { area.line($0).inset(columns: 1) }
    guard !lines.isEmpty else { return }
    for button in buttons where !button.isLast {
      let index = lines.indices.first { index in
        lines[index].columns - (index == lines.count - 1 ? tail : 0) >= button.columns
      }
      guard let index else { continue }
      button.draw(in: lines[index].prefix(columns: button.columns), on: &canvas)
      lines[index] = lines[index].dropping(columns: button.columns)
    }
    for button in last {
      let line = lines[lines.count - 1]
      button.draw(in: line.prefix(columns: button.columns), on: &canvas)
      lines[lines.count - 1] = line.dropping(columns: button.columns)
    }
  }
}
