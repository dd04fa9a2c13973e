/// The decoding of xterm's mouse reports: in mode 1006 (SGR), or in mode 1000 with three bytes.
enum MouseReport {
  /// The button that was pressed last, because some reports of a release do not name the button.
  struct Buttons {
    var pressed: MouseButton?
  }

  /// - Parameters:
  ///   - code: The button and the modifiers in xterm's encoding.
  ///   - column: The column, from 1.
  ///   - row: The row, from 1.
  static func event(
    code: Int, column: Int, row: Int, isRelease: Bool, _ buttons: inout Buttons
  ) -> MouseEvent? {
    guard code >= 0, code < 256, column > 0, row > 0 else { return nil }
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    guard let action = action(code & ~0x1c, isRelease, &buttons) else { return nil }
    return MouseEvent(
      action, at: Point(min(column, 10_000) - 1, min(row, 10_000) - 1), modifiers)
  }

  private static func action(
    _ code: Int, _ isRelease: Bool, _ buttons: inout Buttons
  ) -> MouseEvent.Action? {
    switch code {
    case 64: return isRelease ? nil : .wheel(.up)
    case 65: return isRelease ? nil : .wheel(.down)
    case 66: return isRelease ? nil : .wheel(.left)
    case 67: return isRelease ? nil : .wheel(.right)
    case 3:
      defer { buttons.pressed = nil }
      return .release(buttons.pressed ?? .left)
    case 0x23: return .move
    case 0x20...0x22: return button(code & 3).map { .drag($0) }
    case 0...2:
      guard let button = button(code) else { return nil }
      buttons.pressed = isRelease ? nil : button
      return isRelease ? .release(button) : .press(button)
    default: return nil
    }
  }

  private static func button(_ code: Int) -> MouseButton? {
    switch code {
    case 0: .left
    case 1: .middle
    case 2: .right
    default: nil
    }
  }
}
