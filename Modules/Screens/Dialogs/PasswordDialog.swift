import Models
import Terminal

/// Asks for the password of an encrypted file.
struct PasswordDialog: Sendable, Equatable {
  enum Part: Sendable, Equatable {
    case field, confirm, rest, cancel
  }

  /// What stands below the field.
  enum Remark: Sendable, Equatable {
    case none, wrongPassword, tooLong
  }

  let resource: ResourceID
  let name: String
  /// Of its record.
  let title: String
  /// The content of a document, which is drawn page by page, each of which takes the password again; nil of
  /// an archive, which is unpacked as a whole.
  let document: Digest?
  /// Where the viewer opens with the right password; nil: it is open, and shows the file.
  let target: ViewerTarget?
  /// The archive also has entries that need no password, which the viewer shows without it.
  let hasRest: Bool
  private(set) var field = TextField(isMasked: true)
  private(set) var remark = Remark.none
  /// What the engine was asked and has not answered.
  private(set) var pending: UnlockRequest?
  private(set) var focus = Part.field

  init(_ resource: Resource, of record: RecordItem, opening target: ViewerTarget?) {
    self.resource = resource.id
    name = resource.displayName
    title = record.record.title
    document = resource.file.flatMap { $0.format.kind == .document ? $0.digest : nil }
    self.target = target
    hasRest = target != nil && resource.needsPassword && resource.pageCount > 0
  }

  /// The parts in the order in which Tab goes through them.
  var parts: [Part] { [.field, .confirm] + (hasRest ? [.rest] : []) + [.cancel] }

  mutating func paste(_ text: String) {
    guard pending == nil else { return }
    focus = .field
    field.insert(text)
  }

  /// - Returns: the part that was chosen with it.
  mutating func handle(_ stroke: KeyStroke) -> Part? {
    guard pending == nil else { return nil }
    let buttons = parts.filter { $0 != .field }
    switch stroke {
    case "tab", "down": focus = parts.next(after: focus)
    case "up": focus = Array(parts.reversed()).next(after: focus)
    case "enter": return focus == .field ? .confirm : focus
    case _ where focus == .field: _ = field.handle(stroke)
    case " ": return focus
    case "right": focus = buttons.next(after: focus)
    case "left": focus = Array(buttons.reversed()).next(after: focus)
    default: break
    }
    return nil
  }

  /// - Returns: the part that was pressed, if it can be.
  mutating func press(_ number: Int) -> Part? {
    guard parts.indices.contains(number), pending == nil || parts[number] == .cancel else {
      return nil
    }
    focus = parts[number]
    return focus == .field ? nil : focus
  }

  /// Takes the text for the password. Another one cannot be typed until `refuse`.
  /// - Returns: what to ask the engine; nil for what cannot be a password.
  mutating func submit() -> UnlockRequest? {
    guard pending == nil, !field.characters.isEmpty else { return nil }
    guard let password = DocumentPassword(field.text) else {
      remark = .tooLong
      return nil
    }
    remark = .none
    focus = .field
    pending = UnlockRequest(resource, of: title, password)
    return pending
  }

  /// The engine says that it is another password.
  mutating func refuse() {
    pending = nil
    field.clear()
    remark = .wrongPassword
  }
}

extension PasswordDialog {
  func draw(on canvas: inout Canvas) {
    let columns = min(60, canvas.bounds.columns - 2)
    var area = DialogFrame.draw("Password of \(name)", Size(columns, 6), on: &canvas)
    canvas.on(.dialog) { canvas in
      let line = area.takeTop(1)
      field.draw(in: line, on: &canvas)
      if focus != .field || pending != nil { canvas.buffer.cursor = nil }
      canvas.hit(line, .button(number(of: .field)))
      let (text, ink) = message
      canvas.text(text, in: area.takeTop(1), ink)
    }
    _ = area.takeTop(1)
    let buttons = parts.filter { $0 != .field }.map { part in
      let isDefault = part == .confirm && focus == .field
      return (number(of: part), Self.title(part), focus == part || isDefault)
    }
    DialogFrame.buttons(buttons, in: area.takeTop(1), on: &canvas)
  }

  private var message: (String, Ink) {
    if pending != nil { return ("Opening …", .dialog) }
    switch remark {
    case .none: return ("The file is encrypted.", .dialog)
    case .wrongPassword: return ("Wrong password.", .error)
    case .tooLong: return ("A password has \(DocumentPassword.longest) bytes at most.", .error)
    }
  }

  private static func title(_ part: Part) -> String {
    switch part {
    case .field: ""
    case .confirm: "OK"
    case .rest: "Show the rest"
    case .cancel: "Cancel"
    }
  }

  private func number(of part: Part) -> Int { parts.firstIndex(of: part) ?? 0 }
}
