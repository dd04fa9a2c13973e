import Models
import Terminal

/// The dialog that asks for the password of an encrypted file.
struct PasswordDialog: Dialog {
  private enum Part: Sendable, Equatable {
    case field, confirm, rest, cancel
  }

  private enum Remark: Sendable, Equatable {
    case none, wrongPassword, tooLong
  }

  private let resource: ResourceID
  private let name: String
  private let record: Record
  /// The digest of a document, whose pages are decrypted with the password one by one; nil for an archive,
  /// which is unpacked as a whole.
  private let document: Digest?
  /// The place where the viewer opens after the password was accepted; nil if the viewer is already open.
  private let target: ViewerTarget?
  /// Whether the archive also has unencrypted entries, which the viewer can show without the password.
  private let hasRest: Bool
  private var field = TextField(isMasked: true)
  private var remark = Remark.none
  /// The request that the engine has not answered yet.
  private var pending: UnlockRequest?
  private var focus = Part.field

  init(_ resource: Resource, of record: RecordItem, opening target: ViewerTarget?) {
    self.resource = resource.id
    name = resource.displayName
    self.record = record.record
    document = resource.file.flatMap { $0.format.kind == .document ? $0.digest : nil }
    self.target = target
    hasRest = target != nil && resource.needsPassword && resource.pageCount > 0
  }

  /// The parts of the dialog in the order of the Tab key.
  private var parts: [Part] { [.field, .confirm] + (hasRest ? [.rest] : []) + [.cancel] }

  mutating func reduce(_ event: DialogEvent, in size: Size) -> DialogResult {
    switch event {
    case .key(let stroke): return handle(stroke).map { choose($0) } ?? .stays()
    case .pasted(let text): paste(text)
    case .buttonPressed(let number): return press(number).map { choose($0) } ?? .stays()
    case .unlockAnswered(let request, let answer):
      // A late answer to a request that the user has cancelled is ignored.
      if request == pending { return receive(answer, to: request) }
    case .removed(let id):
      if id == nil || id == record.id { return .becomes(RemovalNotice(subject: name)) }
    case .wheelTurned: break
    }
    return .stays()
  }

  private mutating func paste(_ text: String) {
    guard pending == nil else { return }
    focus = .field
    field.insert(text)
  }

  /// Handles a key.
  /// - Returns: The part that the key activates, or nil.
  private mutating func handle(_ stroke: KeyStroke) -> Part? {
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

  /// Handles a press of a button.
  /// - Returns: The part with this number, or nil if the part is disabled.
  private mutating func press(_ number: Int) -> Part? {
    guard parts.indices.contains(number), pending == nil || parts[number] == .cancel else {
      return nil
    }
    focus = parts[number]
    return focus == .field ? nil : focus
  }

  private mutating func choose(_ part: Part) -> DialogResult {
    switch part {
    case .field: .stays()
    case .confirm: submit()
    case .rest: .closes(target.map { [.open(.viewer($0))] } ?? [])
    case .cancel: .closes()
    }
  }

  /// Submits the text as the password. The field is locked until the engine has answered.
  private mutating func submit() -> DialogResult {
    guard pending == nil, !field.characters.isEmpty else { return .stays() }
    guard let password = DocumentPassword(field.text) else {
      remark = .tooLong
      return .stays()
    }
    remark = .none
    focus = .field
    let request = UnlockRequest(resource, of: record.title, password)
    pending = request
    return .stays([.unlock(request, document: document)])
  }

  private mutating func receive(_ answer: UnlockAnswer, to request: UnlockRequest) -> DialogResult {
    switch answer {
    case .unlocked:
      return .closes([.showUnlocked(request, document: document, target)])
    case .wrongPassword:
      pending = nil
      field.clear()
      remark = .wrongPassword
      return .stays()
    case .failed: return .closes()
    }
  }
}

extension PasswordDialog {
  func draw(on canvas: inout Canvas) {
    let columns = min(60, canvas.bounds.columns - 2)
    var area = DialogFrame.draw("Password of \(name)", Size(columns, 6), on: &canvas)
    canvas.withBackground(of: .dialog) { canvas in
      let line = area.removeTop(1)
      field.draw(in: line, on: &canvas)
      if focus != .field || pending != nil { canvas.buffer.cursor = nil }
      canvas.hit(line, .button(number(of: .field)))
      let (text, ink) = message
      canvas.text(text, in: area.removeTop(1), ink)
    }
    _ = area.removeTop(1)
    let buttons = parts.filter { $0 != .field }.map { part in
      let isDefault = part == .confirm && focus == .field
      return (number(of: part), Self.title(part), focus == part || isDefault)
    }
    DialogFrame.buttons(buttons, in: area.removeTop(1), on: &canvas)
  }

  private var message: (String, TextRole) {
    if pending != nil { return ("Opening …", .dialog) }
    switch remark {
    case .none: return ("The file is encrypted.", .dialog)
    case .wrongPassword: return ("Wrong password.", .error)
    case .tooLong: return ("A password has \(DocumentPassword.maximumBytes) bytes at most.", .error)
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
