import Models
import Terminal

/// A question with the answers yes and no; no is preselected if yes would delete something.
struct ConfirmationDialog: Dialog {
  private let title: String
  private let lines: [String]
  /// The label of the button that performs `action`.
  private let yes: String
  private let action: ScreenAction
  /// The record that the question concerns, or nil.
  private let record: Record?
  private var isYesChosen: Bool

  private init(
    title: String, lines: [String], yes: String, action: ScreenAction, record: Record? = nil,
    isYesChosen: Bool = false
  ) {
    self.title = title
    self.lines = lines
    self.yes = yes
    self.action = action
    self.record = record
    self.isYesChosen = isYesChosen
  }

  static let reset = ConfirmationDialog(
    title: "Reset the library?",
    lines: [
      "Stops all downloads and deletes all records with their files. This cannot be undone."
    ], yes: "Delete everything", action: .perform(.perform(.reset)))

  static func remove(_ record: Record) -> ConfirmationDialog {
    let count = record.counts.total
    return ConfirmationDialog(
      title: "Remove this record?",
      lines: [
        record.title,
        count == 1
          ? "Its file is deleted as well."
          : "Its \(Readable.count(count)) files are deleted as well.",
      ],
      yes: "Remove", action: .perform(.perform(.remove(record.id))), record: record)
  }

  /// A terminal does not report Caps Lock, which turns the key for "right" into that for the reload.
  static func reload(_ record: Record) -> ConfirmationDialog {
    let count = record.counts.total
    return ConfirmationDialog(
      title: "Download the whole record again?",
      lines: [
        record.title,
        count == 1
          ? "Its file is requested again."
          : "Its \(Readable.count(count)) files are requested again.",
      ],
      yes: "Reload", action: .perform(.perform(.reload(record.id))), record: record,
      isYesChosen: true)
  }

  static let quit = ConfirmationDialog(
    title: "Quit now?",
    lines: ["Downloads stop with this program and continue when it is started again."], yes: "Quit",
    action: .quit, isYesChosen: true)

  mutating func reduce(_ event: DialogEvent, in size: Size) -> DialogResult {
    switch event {
    case .key("left"), .key("right"), .key("tab"), .key("h"), .key("l"): isYesChosen.toggle()
    case .key("y"): return .closes([action])
    case .key("n"), .key("q"): return .closes()
    case .key("enter"): return .closes(isYesChosen ? [action] : [])
    case .buttonPressed(let number): return .closes(number == 0 ? [action] : [])
    case .removed(let id):
      guard let record, id == nil || record.id == id else { return .stays() }
      return .becomes(RemovalNotice(subject: record.title))
    case .key, .pasted, .wheelTurned, .unlockAnswered: break
    }
    return .stays()
  }

  func draw(on canvas: inout Canvas) {
    let columns = min(56, canvas.bounds.columns - 2)
    let lines = lines.flatMap { $0.wrapped(to: columns - 4) }
    let wanted = Size(columns, max(2, lines.count) + 4)
    var area = DialogFrame.draw(title, wanted, on: &canvas)
    canvas.withBackground(of: .dialog) { canvas in
      for line in lines { canvas.text(line, in: area.removeTop(1), .dialog) }
    }
    _ = area.removeTop(1)
    DialogFrame.buttons(
      [(0, yes, isYesChosen), (1, "Cancel", !isYesChosen)], in: area.removeTop(1), on: &canvas)
  }
}
