import Terminal

/// The frame of a dialog, with its title and buttons.
enum DialogFrame {
  /// Draws the frame in the middle of the canvas.
  /// - Parameter size: The size in cells, including the frame.
  /// - Returns: The area inside the frame.
  static func draw(_ title: String, _ size: Size, on canvas: inout Canvas) -> Rect {
    let box = canvas.bounds.centred(size)
    canvas.fill(box, .dialog)
    canvas.fill(box.line(0), .dialogTitle)
    canvas.text(title, in: box.line(0).inset(columns: 1), .dialogTitle)
    var inside = box.inset(columns: 2)
    _ = inside.removeTop(1)
    if inside.rows > 4 { _ = inside.removeTop(1) }
    return inside
  }

  static func buttons(
    _ buttons: [(number: Int, text: String, isChosen: Bool)], in area: Rect,
    on canvas: inout Canvas
  ) {
    var rest = area
    for button in buttons {
      // A mark distinguishes the chosen button on terminals without colours, too.
      let text = button.isChosen ? "▸ \(button.text) " : "  \(button.text) "
      let place = rest.prefix(columns: TextWidth.columns(text))
      canvas.text(text, in: place, button.isChosen ? .chosenButton : .button)
      canvas.hit(place, .button(button.number))
      rest = rest.dropping(columns: place.columns + 2)
    }
  }
}
