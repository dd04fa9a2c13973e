public import Terminal

/// The arrangement of a collection's items.
public enum CollectionLayout: Sendable, Hashable {
  /// The items form one column, each as wide as the viewport.
  case list
  /// The items form rows, each with as many items as fit beside each other.
  case grid
  /// The items form a single row, which scrolls sideways.
  case strip
}

/// The positions of a collection's items, computed from their indexes alone. A line is a row of a list or
/// grid, or a column of a strip.
public struct CollectionGeometry: Sendable, Hashable {
  public let layout: CollectionLayout
  public let viewport: Size
  public let tile: Size

  public init(_ layout: CollectionLayout, viewport: Size, tile: Size) {
    self.layout = layout
    self.viewport = Size(max(0, viewport.columns), max(0, viewport.rows))
    self.tile = Size(max(1, tile.columns), max(1, tile.rows))
  }

  public var perLine: Int { layout == .grid ? max(1, viewport.columns / tile.columns) : 1 }

  /// The number of lines that are wholly visible, at least one.
  public var visibleLineCount: Int {
    layout == .strip
      ? max(1, viewport.columns / tile.columns) : max(1, viewport.rows / tile.rows)
  }

  public func lines(_ count: Int) -> Int { (count + perLine - 1) / perLine }

  /// Returns the first visible line when the collection is scrolled to its end.
  public func lastTop(_ count: Int) -> Int { max(0, lines(count) - visibleLineCount) }

  /// Returns the indexes of the items that are at least partly visible.
  public func visible(top: Int, count: Int) -> Range<Int> {
    let extent = layout == .strip ? viewport.columns : viewport.rows
    let size = layout == .strip ? tile.columns : tile.rows
    let lines = max(1, (extent + size - 1) / size)
    let start = min(max(0, top) * perLine, count)
    return start..<min(count, start + lines * perLine)
  }

  /// Returns the top left corner of an item in cells, relative to the top left corner of the viewport.
  public func origin(of index: Int, top: Int) -> (column: Int, row: Int) {
    let (line, place) = (index / perLine - top, index % perLine)
    return layout == .strip
      ? (line * tile.columns, 0) : (place * tile.columns, line * tile.rows)
  }
}
