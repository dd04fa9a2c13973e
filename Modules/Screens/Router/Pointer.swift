import Terminal

/// The state of the left mouse button, with the target on which it was pressed. Turns gestures into events.
struct Pointer: Sendable {
  private struct Press: Sendable {
    var target: HitArea.Target
    var pressTime: Double
    var area: Rect
    /// Whether the press was reported as a long press, so that its release is not a click.
    var isUsed = false
  }

  private var press: Press?

  /// The duration in seconds after which a press lifts an item (RM9).
  private static let long = 0.4

  /// The target on which the button is held down, or nil.
  var pressedTarget: HitArea.Target? { press?.target }

  /// The time at which `advance` is due; nil if no item is pressed that could be lifted.
  var wake: Double? {
    guard let press, case .item = press.target, !press.isUsed else { return nil }
    return press.pressTime + Self.long
  }

  mutating func press(_ hit: HitArea, at point: Point, _ now: Double) -> ScreenEvent? {
    press = Press(target: hit.target, pressTime: now, area: hit.area)
    switch hit.target {
    case .command(let command): return .command(command)
    case .item(let index): return .itemPressed(index)
    case .column(let column): return .headingPressed(column)
    case .concurrency, .position: return slide(to: point)
    case .button, .nothing: return nil
    }
  }

  mutating func drag(to point: Point) -> ScreenEvent? {
    guard let press else { return nil }
    // Leaving the item cancels the click.
    if case .item = press.target, !press.area.contains(point), !press.isUsed { self.press = nil }
    return slide(to: point)
  }

  mutating func release(at point: Point) -> ScreenEvent? {
    defer { press = nil }
    guard let press, case .item(let index) = press.target, !press.isUsed,
      press.area.contains(point)
    else { return nil }
    return .itemClicked(index)
  }

  /// Cancels the press because another screen is now below the pointer.
  mutating func cancel() { press = nil }

  mutating func advance(to now: Double) -> ScreenEvent? {
    guard let wake, now >= wake, case .item(let index)? = press?.target else { return nil }
    press?.isUsed = true
    return .itemLongPressed(index)
  }

  private func slide(to point: Point) -> ScreenEvent? {
    guard let press else { return nil }
    let steps = max(1, press.area.columns - 1)
    let share = min(1, max(0, Double(point.column - press.area.column) / Double(steps)))
    switch press.target {
    case .concurrency: return .concurrencyChosen(share)
    case .position: return .positionChosen(share)
    default: return nil
    }
  }
}
