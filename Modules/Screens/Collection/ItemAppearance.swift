import Terminal

/// How an item is to look beside what it is.
public struct ItemAppearance: Sendable {
  public var index: Int
  public var layout: CollectionLayout
  public var isSelected = false
  public var isLifted = false
  /// Another one was lifted.
  public var isFaded = false

  /// Faded where another item was lifted.
  func ink(_ ink: TextRole) -> TextRole { isFaded ? .faint : ink }
}

extension Canvas {
  /// A mark at the left edge of the item that is selected or lifted.
  mutating func mark(_ look: ItemAppearance, in area: Rect) {
    guard look.isSelected || look.isLifted else { return }
    for row in 0..<area.rows {
      text(
        look.isLifted && row == 0 ? "▲" : "▌", in: area.line(row).prefix(columns: 1),
        look.isLifted ? .warning : .selectedMark)
    }
  }
}
