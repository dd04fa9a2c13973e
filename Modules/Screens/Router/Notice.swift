import Terminal

/// A line that tells what came of something, for a while.
struct Notice: Sendable, Equatable {
  private let text: String
  private let isError: Bool
  /// The screens that were open, where the text is about what the one on top shows: it goes with that screen.
  private let path: [Place]?
  /// When it goes away.
  let until: Double

  /// - Parameter path: nil means it is seen on every screen.
  init(_ text: String, isError: Bool, path: [Place]?, at now: Double) {
    self.text = text
    self.isError = isError
    self.path = path
    until = now + (isError ? 10 : 4)
  }

  func isOver(at now: Double, on open: [Place]) -> Bool {
    now >= until || path.map { $0 != open } ?? false
  }

  func draw(in area: Rect, on canvas: inout Canvas) {
    canvas.message((isError ? "⚠ " : "") + text, isError ? .error : .good, in: area)
  }
}
