import Terminal

/// A temporary line that reports the result of an action.
struct Notice: Sendable, Equatable {
  private let text: String
  private let isError: Bool
  /// The kinds of the open screens if the text concerns the topmost screen and disappears with that screen;
  /// nil if the text concerns no single screen.
  private let path: [ScreenKind]?
  /// The time at which the notice disappears.
  let until: Double

  /// - Parameter path: The kinds of the open screens, or nil to show the notice on every screen.
  init(_ text: String, isError: Bool, path: [ScreenKind]?, at now: Double) {
    self.text = text
    self.isError = isError
    self.path = path
    until = now + (isError ? 10 : 4)
  }

  func isOver(at now: Double, on open: [ScreenKind]) -> Bool {
    now >= until || path.map { $0 != open } ?? false
  }

  func draw(in area: Rect, on canvas: inout Canvas) {
    canvas.message((isError ? "⚠ " : "") + text, isError ? .error : .good, in: area)
  }
}
