import Terminal

extension State {
  func drawDialog(on canvas: inout Canvas) {
    guard let dialog else { return }
    canvas.fade()
    canvas.buffer.cursor = nil
    canvas.hit(canvas.bounds, .nothing)
    switch dialog {
    case .add(let add): draw(add, on: &canvas)
    case .confirm(let question): draw(question, on: &canvas)
    case .help(let place, let top): HelpText.draw(place, top: top, on: &canvas)
    case .password(let password): password.draw(on: &canvas)
    case .gone(let sentence): draw(gone: sentence, on: &canvas)
    }
  }

  private func draw(gone sentence: String, on canvas: inout Canvas) {
    let columns = min(56, size.columns - 2)
    let lines = sentence.wrapped(to: columns - 4)
    var area = DialogFrame.draw("Removed", Size(columns, max(2, lines.count) + 4), on: &canvas)
    canvas.on(.dialog) { canvas in
      for line in lines { canvas.text(line, in: area.takeTop(1), .dialog) }
    }
    _ = area.takeTop(1)
    DialogFrame.buttons([(0, "Close", true)], in: area.takeTop(1), on: &canvas)
  }

  private func draw(_ add: AddDialog, on canvas: inout Canvas) {
    var area = DialogFrame.draw("Add a source", Size(min(70, size.columns - 2), 8), on: &canvas)
    canvas.on(.dialog) { canvas in
      let line = area.takeTop(1)
      let label = "Path or URL of a list, archive, PDF, image or series:"
      canvas.text(
        line.columns < TextWidth.columns(label) ? "Path or URL:" : label, in: line, .dialog)
      add.field.draw(in: area.takeTop(1), on: &canvas)
      if add.focus != 0 { canvas.buffer.cursor = nil }
      _ = area.takeTop(1)
      let box = area.takeTop(1)
      canvas.text(
        (add.isLazy ? "[x]" : "[ ]") + " Names first, images on demand", in: box,
        add.focus == 1 ? .chosenButton : .dialog)
      canvas.hit(box, .button(1))
    }
    _ = area.takeTop(1)
    DialogFrame.buttons(
      [(2, "Add", add.focus == 2 || add.focus == 0), (3, "Cancel", add.focus == 3)],
      in: area.takeTop(1), on: &canvas)
  }

  private func draw(_ question: Confirmation, on canvas: inout Canvas) {
    let columns = min(56, size.columns - 2)
    let lines = question.lines.flatMap { $0.wrapped(to: columns - 4) }
    let wanted = Size(columns, max(2, lines.count) + 4)
    var area = DialogFrame.draw(question.title, wanted, on: &canvas)
    canvas.on(.dialog) { canvas in
      for line in lines { canvas.text(line, in: area.takeTop(1), .dialog) }
    }
    _ = area.takeTop(1)
    DialogFrame.buttons(
      [(0, question.yes, question.isYesChosen), (1, "Cancel", !question.isYesChosen)],
      in: area.takeTop(1), on: &canvas)
  }
}

/// The box of a dialog.
enum DialogFrame {
  /// - Parameter size: with the frame.
  /// - Returns: the inside.
  static func draw(_ title: String, _ size: Size, on canvas: inout Canvas) -> Rect {
    let box = canvas.bounds.centred(size)
    canvas.fill(box, .dialog)
    canvas.fill(box.line(0), .dialogTitle)
    canvas.text(title, in: box.line(0).inset(columns: 1), .dialogTitle)
    var inside = box.inset(columns: 2)
    _ = inside.takeTop(1)
    if inside.rows > 4 { _ = inside.takeTop(1) }
    return inside
  }

  static func buttons(
    _ buttons: [(number: Int, text: String, isChosen: Bool)], in area: Rect,
    on canvas: inout Canvas
  ) {
    var rest = area
    for button in buttons {
      // A mark tells the chosen one also without colours.
      let text = button.isChosen ? "▸ \(button.text) " : "  \(button.text) "
      let place = rest.prefix(columns: TextWidth.columns(text))
      canvas.text(text, in: place, button.isChosen ? .chosenButton : .button)
      canvas.hit(place, .button(button.number))
      rest = rest.dropping(columns: place.columns + 2)
    }
  }
}
