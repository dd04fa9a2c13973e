import Models
import Terminal

/// A modal dialog in front of the screen. It owns its state, turns events into actions, and draws itself,
/// without side effects.
protocol Dialog: Sendable {
  /// - Parameter size: The size of the window in cells.
  mutating func reduce(_ event: DialogEvent, in size: Size) -> DialogResult
  func draw(on canvas: inout Canvas)
}

/// An event for the open dialog, which receives all keys.
enum DialogEvent: Sendable {
  case key(KeyStroke)
  case pasted(String)
  /// A press of the button with this number in the dialog.
  case buttonPressed(Int)
  /// A turn of the mouse wheel, in lines; negative values scroll towards the beginning.
  case wheelTurned(Int)
  case unlockAnswered(UnlockRequest, UnlockAnswer)
  /// Another client has removed a record; nil means all records.
  case removed(RecordID?)

  /// Creates the event for a gesture; nil if the gesture has no meaning in a dialog.
  /// - Parameter target: Returns the hit target at a point of the screen.
  init?(_ gesture: Gesture, target: (Point) -> HitArea.Target?) {
    switch gesture {
    case .key(let stroke): self = .key(stroke)
    case .paste(let text): self = .pasted(text)
    case .wheel(_, let lines): self = .wheelTurned(lines)
    case .press(let point):
      guard case .button(let number)? = target(point) else { return nil }
      self = .buttonPressed(number)
    case .drag, .release: return nil
    }
  }

  /// Whether the event is Esc or Ctrl-C, which close any dialog without an action.
  var isCancellation: Bool {
    if case .key(let stroke) = self { stroke == "escape" || stroke == "^c" } else { false }
  }
}

/// The outcome of an event: whether the dialog stays, and the actions for the router.
enum DialogResult: Sendable {
  case stays([ScreenAction] = [])
  case closes([ScreenAction] = [])
  /// Another dialog replaces the current one.
  case becomes(any Dialog)
}
