public enum MouseButton: Sendable, Hashable {
  case left, middle, right
}

public struct MouseEvent: Sendable, Hashable {
  public enum Action: Sendable, Hashable {
    case press(MouseButton)
    case release(MouseButton)
    /// The mouse moved to another cell with a button down.
    case drag(MouseButton)
    /// The mouse moved without a button down; reported only if the terminal was asked to.
    case move
    case wheel(Wheel)
  }

  public enum Wheel: Sendable, Hashable {
    case up, down, left, right
  }

  public let action: Action
  public let position: Point
  public let modifiers: Modifiers

  public init(_ action: Action, at position: Point, _ modifiers: Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}
