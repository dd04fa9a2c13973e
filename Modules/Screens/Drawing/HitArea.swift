public import Terminal

/// An area of the screen that can be pressed.
public struct HitArea: Sendable, Equatable {
  public enum Target: Sendable, Equatable {
    case command(Command)
    case item(Int)
    /// The slider of the number of downloads.
    case concurrency
    /// The slider that selects the image in a viewer.
    case position
    case column(DetailColumn)
    /// A button of a dialog, by its number.
    case button(Int)
    /// No target: the area protects those below it from presses.
    case nothing
  }

  public var area: Rect
  public var target: Target
}
