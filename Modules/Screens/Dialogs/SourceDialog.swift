import Terminal

/// Asks for the path or URL of a source to add.
struct SourceDialog: Dialog {
  private enum Part: Int, CaseIterable {
    case field, lazySwitch, add, cancel
  }

  private var field: TextField
  /// Names first, images on demand: the record is lazy.
  private var isLazy = false
  private var focus = Part.field

  /// - Parameters:
  ///   - suggestion: a source that typing replaces.
  ///   - pasted: a text whose first line is the source; nil means the suggestion is shown.
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
    // Enter adds from every field; the button Cancel is none.
    case _ where stroke == "enter" || (stroke == " " && focus != .field):
      if focus == .cancel { return .closes() }
      return submission.map { .closes($0) } ?? .stays()
    case _ where focus == .field: _ = field.handle(stroke)
    case "left", "right": focus = focus == .add ? .cancel : .add
    default: break
    }
    return .stays()
  }

  /// nil where nothing was typed.
  private var submission: [ScreenAction]? {
    let text = field.text.trimmingSpaces
    guard !text.isEmpty else { return nil }
    return [.perform(.perform(.add(text, isLazy: isLazy))), .notify("Adding \(text) …")]
  }

  func draw(on canvas: inout Canvas) {
    let columns = min(70, canvas.bounds.columns - 2)
    var area = DialogFrame.draw("Add a source", Size(columns, 8), on: &canvas)
    canvas.on(.dialog) { canvas in
      let line = area.takeTop(1)
      let label = "Path or URL of a list, archive, PDF, image or series:"
      canvas.text(
        line.columns < TextWidth.columns(label) ? "Path or URL:" : label, in: line, .dialog)
      field.draw(in: area.takeTop(1), on: &canvas)
      if focus != .field { canvas.buffer.cursor = nil }
      _ = area.takeTop(1)
      let box = area.takeTop(1)
      canvas.text(
        (isLazy ? "[x]" : "[ ]") + " Names first, images on demand", in: box,
        focus == .lazySwitch ? .chosenButton : .dialog)
      canvas.hit(box, .button(Part.lazySwitch.rawValue))
    }
    _ = area.takeTop(1)
    DialogFrame.buttons(
      [
        (Part.add.rawValue, "Add", focus == .add || focus == .field),
        (Part.cancel.rawValue, "Cancel", focus == .cancel),
      ], in: area.takeTop(1), on: &canvas)
  }
}
