import Terminal

/// The dialog that asks for the path or URL of a new source.
struct SourceDialog: Dialog {
  private enum Part: Int, CaseIterable {
    case field, lazySwitch, add, cancel
  }

  private var field: TextField
  /// Whether the record is lazy: names are loaded first, images on demand.
  private var isLazy = false
  private var focus = Part.field

  /// Creates the dialog.
  /// - Parameters:
  ///   - suggestion: An initial source, which typing replaces.
  ///   - pasted: A text whose first line is the source, or nil to show the suggestion.
  init(suggestion: String, pasted: String?) {
    field = TextField(suggestion: pasted == nil ? suggestion : "")
    if let pasted { field.insert(pasted.firstLine) }
  }

  mutating func reduce(_ event: DialogEvent, in size: Size) -> DialogResult {
    switch event {
    case .key(let stroke): return handle(stroke)
    case .pasted(let text):
      focus = .field
      field.insert(text.firstLine)
    case .buttonPressed(let number):
      switch Part(rawValue: number) {
      case .lazySwitch: isLazy.toggle()
      case .add: return .closes(submission ?? [])
      case .cancel: return .closes()
      case .field, nil: break
      }
    case .wheelTurned, .unlockAnswered, .removed: break
    }
    return .stays()
  }

  private mutating func handle(_ stroke: KeyStroke) -> DialogResult {
    switch stroke {
    case "tab", "down": focus = Part.allCases.next(after: focus)
    case "up": focus = Array(Part.allCases.reversed()).next(after: focus)
    case " " where focus == .lazySwitch: isLazy.toggle()
    // Enter submits the dialog from every part but the Cancel button.
    case _ where stroke == "enter" || (stroke == " " && focus != .field):
      if focus == .cancel { return .closes() }
      return submission.map { .closes($0) } ?? .stays()
    case _ where focus == .field: _ = field.handle(stroke)
    case "left", "right": focus = focus == .add ? .cancel : .add
    default: break
    }
    return .stays()
  }

  /// The actions that add the source, or nil if the field is empty.
  private var submission: [ScreenAction]? {
    let text = field.text.trimmingSpaces
    guard !text.isEmpty else { return nil }
    return [.perform(.perform(.add(text, isLazy: isLazy))), .notify("Adding \(text) …")]
  }

  func draw(on canvas: inout Canvas) {
    let columns = min(70, canvas.bounds.columns - 2)
    var area = DialogFrame.draw("Add a source", Size(columns, 8), on: &canvas)
    canvas.withBackground(of: .dialog) { canvas in
      let line = area.removeTop(1)
      let label = "Path or URL of a list, archive, PDF, image or series:"
      canvas.text(
        line.columns < TextWidth.columns(label) ? "Path or URL:" : label, in: line, .dialog)
      field.draw(in: area.removeTop(1), on: &canvas)
      if focus != .field { canvas.buffer.cursor = nil }
      _ = area.removeTop(1)
      let box = area.removeTop(1)
      canvas.text(
        (isLazy ? "[x]" : "[ ]") + " Names first, images on demand", in: box,
        focus == .lazySwitch ? .chosenButton : .dialog)
      canvas.hit(box, .button(Part.lazySwitch.rawValue))
    }
    _ = area.removeTop(1)
    DialogFrame.buttons(
      [
        (Part.add.rawValue, "Add", focus == .add || focus == .field),
        (Part.cancel.rawValue, "Cancel", focus == .cancel),
      ], in: area.removeTop(1), on: &canvas)
  }
}
