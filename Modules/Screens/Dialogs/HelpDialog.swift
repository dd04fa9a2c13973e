import Terminal

/// The dialog that lists the keys of a screen, and scrolls if the list is too long for the window.
struct HelpDialog: Dialog {
  private let screen: ScreenKind
  /// The first line that is shown.
  private var top = 0

  init(_ place: ScreenKind) { self.screen = place }

  mutating func reduce(_ event: DialogEvent, in size: Size) -> DialogResult {
    switch event {
    case .key("down"), .key("j"): scroll(by: 1, in: size)
    case .key("up"), .key("k"): scroll(by: -1, in: size)
    case .key("pagedown"), .key(" "), .key("^d"): scroll(by: 10, in: size)
    case .key("pageup"), .key("^u"): scroll(by: -10, in: size)
    case .wheelTurned(let lines): scroll(by: lines * 3, in: size)
    case .key, .buttonPressed: return .closes()
    case .pasted, .unlockAnswered, .removed: break
    }
    return .stays()
  }

  /// Scrolls by lines, at most to the end of the text.
  private mutating func scroll(by lines: Int, in size: Size) {
    top = min(max(0, top + lines), HelpText.lastTop(screen, size))
  }

  func draw(on canvas: inout Canvas) { HelpText.draw(screen, top: top, on: &canvas) }
}
