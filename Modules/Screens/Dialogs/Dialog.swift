import Models
import Terminal

/// A question in front of the screen: it owns its state, turns events into actions, and draws itself. Pure.
protocol Dialog: Sendable {
  /// - Parameter size: of the window.
  mutating func reduce(_ event: DialogEvent, in size: Size) -> DialogResult
  func draw(on canvas: inout Canvas)
}

/// What happens to the open dialog, which takes every key.
enum DialogEvent: Sendable {
  case key(KeyStroke)
  case pasted(String)
  /// By its number in the dialog.
  case buttonPressed(Int)
  /// Lines; negative: towards the beginning.
  case wheelTurned(Int)
  case unlockAnswered(UnlockRequest, UnlockAnswer)
  /// Somebody else has removed a record; nil means everything.
  case removed(RecordID?)

  /// - Parameter target: what can be pressed at a point of the screen.
  /// - Returns: nil for what means nothing to a dialog.
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

  /// Whether the event closes any dialog, without an answer.
  var isCancellation: Bool {
    if case .key(let stroke) = self { stroke == "escape" || stroke == "^c" } else { false }
  }
}

/// What follows from an event for the dialog, and for what lies below.
enum DialogResult: Sendable {
  case stays([ScreenAction] = [])
  case closes([ScreenAction] = [])
  /// Another one takes its place.
  case becomes(any Dialog)
}
