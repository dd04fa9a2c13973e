import Terminal

/// The notice that replaces a dialog whose subject another client has removed. The user may still be typing
/// into that dialog, so keys other than Enter and Esc are ignored and never act as commands.
struct RemovalNotice: Dialog {
  /// The name of the removed record or library.
  let subject: String

  func reduce(_ event: DialogEvent, in size: Size) -> DialogResult {
    switch event {
    case .key("enter"), .buttonPressed: .closes()
    default: .stays()
    }
  }

  func draw(on canvas: inout Canvas) {
    let columns = min(56, canvas.bounds.columns - 2)
    let lines = "\(subject) was removed elsewhere.".wrapped(to: columns - 4)
    var area = DialogFrame.draw("Removed", Size(columns, max(2, lines.count) + 4), on: &canvas)
    canvas.withBackground(of: .dialog) { canvas in
      for line in lines { canvas.text(line, in: area.removeTop(1), .dialog) }
    }
    _ = area.removeTop(1)
    DialogFrame.buttons([(0, "Close", true)], in: area.removeTop(1), on: &canvas)
  }
}
