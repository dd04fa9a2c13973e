public import Terminal

/// Something on the screen that can be pressed.
public struct HitArea: Sendable, Equatable {
  public enum Target: Sendable, Equatable {
    case command(Command)
    case item(Int)
    /// The slider of the number of downloads.
    case concurrency
    /// The slider of a viewer.
    case position
    case column(DetailColumn)
    /// Of a dialog, by number.
    case button(Int)
    /// Takes presses away from what lies below.
    case nothing
  }

  public var area: Rect
  public var target: Target
}
