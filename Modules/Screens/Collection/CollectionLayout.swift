public import Terminal

/// How items of a collection lie.
public enum CollectionLayout: Sendable, Hashable {
  /// One below the other, as wide as there is room.
  case list
  /// As many as fit beside each other.
  case grid
  /// One row that scrolls sideways.
  case strip
}

/// Where the items of a collection are, by number: the items themselves are not read. A line is a row of
/// a list or grid, or a column of a strip.
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
  public var linesInSight: Int {
    layout == .strip
      ? max(1, viewport.columns / tile.columns) : max(1, viewport.rows / tile.rows)
  }

  public func lines(_ count: Int) -> Int { (count + perLine - 1) / perLine }

  /// - Returns: the line that is first at the end of the list.
  public func lastTop(_ count: Int) -> Int { max(0, lines(count) - linesInSight) }

  /// Items of which a part is visible.
  public func visible(top: Int, count: Int) -> Range<Int> {
    let extent = layout == .strip ? viewport.columns : viewport.rows
    let size = layout == .strip ? tile.columns : tile.rows
    let lines = max(1, (extent + size - 1) / size)
    let start = min(max(0, top) * perLine, count)
    return start..<min(count, start + lines * perLine)
  }

  /// Top left corner of an item, in cells from the viewport's.
  public func origin(of index: Int, top: Int) -> (column: Int, row: Int) {
    let (line, place) = (index / perLine - top, index % perLine)
    return layout == .strip
      ? (line * tile.columns, 0) : (place * tile.columns, line * tile.rows)
  }
}
