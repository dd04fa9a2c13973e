import Terminal

/// An action of the user, independent of how the terminal reports it.
enum Gesture: Sendable, Equatable {
  case key(KeyStroke)
  case paste(String)
  case press(Point)
  case drag(Point)
  case release(Point)
  /// A turn of the wheel by lines; negative values scroll towards the beginning.
  case wheel(Point, Int)

  /// Creates the gesture of an event; nil if the screens have no use for the event.
  init?(_ event: InputEvent) {
    switch event {
    case .key(let event):
      guard event.kind != .release, let stroke = KeyStroke(event) else { return nil }
      self = .key(stroke)
    case .paste(let paste): self = .paste(paste.text)
    case .mouse(let event):
      switch event.action {
      case .press(.left): self = .press(event.position)
      case .drag(.left): self = .drag(event.position)
      case .release(.left): self = .release(event.position)
      case .wheel(.up), .wheel(.left): self = .wheel(event.position, -1)
      case .wheel(.down), .wheel(.right): self = .wheel(event.position, 1)
      default: return nil
      }
    case .focus, .resize, .resumed, .capabilities: return nil
    }
  }
}

extension KeyStroke {
  init?(_ event: KeyEvent) {
    let key: Key
    switch event.key {
    case .character(let character): key = .character(character)
    case .enter: key = .enter
    case .tab: key = .tab
    case .backspace: key = .backspace
    case .escape: key = .escape
    case .up: key = .up
    case .down: key = .down
    case .left: key = .left
    case .right: key = .right
    case .home: key = .home
    case .end: key = .end
    case .pageUp: key = .pageUp
    case .pageDown: key = .pageDown
    case .delete: key = .delete
    case .function(let number): key = .function(number)
    case .insert: return nil
    }
    // Keys with Alt or the logo key belong to the window manager.
    guard event.modifiers.isDisjoint(with: [.alt, .command]) else { return nil }
    // Shift is ignored for keys that produce no text, such as the arrows.
    self.init(key, hasControl: event.modifiers.contains(.control))
  }
}
