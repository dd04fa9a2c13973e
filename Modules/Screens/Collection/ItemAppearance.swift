import Terminal

/// The view state with which an item is drawn: its index, the layout, and whether it is selected or lifted.
public struct ItemAppearance: Sendable {
  public var index: Int
  public var layout: CollectionLayout
  public var isSelected = false
  public var isLifted = false
  /// Whether another item is lifted, so that this item is drawn faded.
  public var isFaded = false

  /// Returns the role `ink`, or `.faint` while another item is lifted.
  func role(_ ink: TextRole) -> TextRole { isFaded ? .faint : ink }
}

extension Canvas {
  /// Draws a mark at the left edge of an item that is selected or lifted.
  mutating func drawAppearance(_ look: ItemAppearance, in area: Rect) {
    guard look.isSelected || look.isLifted else { return }
    for row in 0..<area.rows {
      text(
        look.isLifted && row == 0 ? "▲" : "▌", in: area.line(row).prefix(columns: 1),
        look.isLifted ? .warning : .selectedMark)
    }
  }
}
