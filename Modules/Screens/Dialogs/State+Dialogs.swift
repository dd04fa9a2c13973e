import Models
import Terminal

extension State {
  /// A dialog takes every key.
  mutating func dialog(_ gesture: Gesture, _ effects: inout [Effect]) {
    guard let open = dialog else { return }
    switch (open, gesture) {
    case (_, .key("escape")), (_, .key("^c")): dialog = nil
    case (_, .press(let point)): pressDialog(at: point, &effects)
    case (.add(var add), _):
      dialog = .add(add)
      if handle(&add, gesture, &effects) { dialog = .add(add) } else { dialog = nil }
    case (.confirm(let question), .key(let stroke)): answer(question, stroke, &effects)
    case (.help(let place, let top), _): scrollHelp(place, top, gesture)
    case (.password(var password), .paste(let text)):
      password.paste(text)
      dialog = .password(password)
    case (.password(var password), .key(let stroke)):
      let part = password.handle(stroke)
      dialog = .password(password)
      if let part { act(on: part, of: password, &effects) }
    case (.gone, .key("enter")): dialog = nil
    default: break
    }
  }

  /// What the open dialog is about was removed by somebody else. Whoever types goes on typing for a moment: the
  /// dialog stays until it is closed, so that no letter becomes a command.
  /// - Parameter id: nil: everything was removed.
  mutating func subjectIsGone(_ id: RecordID?) {
    switch dialog {
    case .password(let password) where id == nil || openRecord?.id == id:
      dialog = .gone("\(password.name) was removed elsewhere.")
    case .confirm(let question):
      guard case .verb(.remove(let subject)) = question.deed, id == nil || subject == id else {
        return
      }
      dialog = .gone("\(question.subject) was removed elsewhere.")
    default: break
    }
  }

  private mutating func pressDialog(at point: Point, _ effects: inout [Effect]) {
    let target = draw().target(at: point)?.target
    switch (dialog, target) {
    case (.add(var add), .button(let number)):
      switch number {
      case 1:
        add.isLazy.toggle()
        dialog = .add(add)
      case 2:
        dialog = nil
        submit(add, &effects)
      case 3: dialog = nil
      default: break
      }
    case (.confirm(let question), .button(let number)):
      dialog = nil
      if number == 0 { perform(question.deed, &effects) }
    case (.help, .button), (.gone, .button): dialog = nil
    case (.password(var password), .button(let number)):
      let part = password.press(number)
      dialog = .password(password)
      if let part { act(on: part, of: password, &effects) }
    default: break
    }
  }

  /// - Returns: whether it stays open.
  private mutating func handle(
    _ add: inout AddDialog, _ gesture: Gesture, _ effects: inout [Effect]
  ) -> Bool {
    switch gesture {
    case .paste(let text):
      add.focus = 0
      add.field.insert(text.firstLine)
    case .key("tab"), .key("down"): add.focus = (add.focus + 1) % AddDialog.parts
    case .key("up"): add.focus = (add.focus + AddDialog.parts - 1) % AddDialog.parts
    case .key(" ") where add.focus == 1: add.isLazy.toggle()
    // Enter adds from every field; the button Cancel is none.
    case .key(let stroke) where stroke == "enter" || (stroke == " " && add.focus > 1):
      switch add.focus {
      case 3: return false
      default:
        guard !add.field.text.trimmingSpaces.isEmpty else { return true }
        submit(add, &effects)
        return false
      }
    case .key(let stroke):
      if add.focus == 0 {
        _ = add.field.handle(stroke)
      } else if stroke == "left" || stroke == "right" {
        add.focus = add.focus == 2 ? 3 : 2
      }
    default: break
    }
    return true
  }

  private mutating func submit(_ add: AddDialog, _ effects: inout [Effect]) {
    let text = add.field.text.trimmingSpaces
    guard !text.isEmpty else { return }
    effects.append(.perform(.add(text, isLazy: add.isLazy)))
    tell("Adding \(text) …")
  }

  private mutating func answer(
    _ question: Confirmation, _ stroke: KeyStroke, _ effects: inout [Effect]
  ) {
    var question = question
    switch stroke {
    case "left", "right", "tab", "h", "l":
      question.isYesChosen.toggle()
      dialog = .confirm(question)
    case "y":
      dialog = nil
      perform(question.deed, &effects)
    case "n", "q": dialog = nil
    case "enter":
      dialog = nil
      if question.isYesChosen { perform(question.deed, &effects) }
    default: break
    }
  }

  mutating func perform(_ deed: Confirmation.Deed, _ effects: inout [Effect]) {
    switch deed {
    case .verb(let verb): effects.append(.perform(verb))
    case .quit: leave(&effects)
    }
  }

  private mutating func scrollHelp(_ place: Place, _ top: Int, _ gesture: Gesture) {
    switch gesture {
    case .key("down"), .key("j"): dialog = .help(place, top + 1)
    case .key("up"), .key("k"): dialog = .help(place, max(0, top - 1))
    case .key("pagedown"), .key(" "), .key("^d"): dialog = .help(place, top + 10)
    case .key("pageup"), .key("^u"): dialog = .help(place, max(0, top - 10))
    case .wheel(_, let lines): dialog = .help(place, max(0, top + lines * 3))
    case .key: dialog = nil
    default: break
    }
    // As far as there is something to see.
    if case .help(place, let wanted) = dialog {
      dialog = .help(place, min(wanted, HelpText.lastTop(place, size)))
    }
  }
}
