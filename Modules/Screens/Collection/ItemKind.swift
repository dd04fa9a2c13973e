public import Terminal

/// The drawing of one kind of item. A new kind of row or tile is a new type that conforms to this protocol;
/// the collection itself does not change (RM11).
public protocol ItemKind<Item> {
  associatedtype Item
  /// Returns the size of one item in cells.
  /// - Parameter room: The size of the whole collection in cells.
  func size(in layout: CollectionLayout, room: Size) -> Size
  /// Draws one item.
  /// - Parameter item: The item, or nil while the store has not delivered it.
  func draw(_ item: Item?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas)
}

extension CollectionView {
  /// Draws the visible items of a source.
  public func draw<Item>(
    _ kind: some ItemKind<Item>, _ source: some ItemSource<Item>, in area: Rect,
    on canvas: inout Canvas
  ) {
    canvas.clipped(to: area) { canvas in
      for index in visible {
        let origin = geometry.origin(of: index, top: top)
        var tile = Rect(
          area.column + origin.column, area.row + origin.row, geometry.tile.columns,
          geometry.tile.rows)
        var look = ItemAppearance(index: index, layout: geometry.layout)
        look.isSelected = index == selection
        look.isLifted = index == lifted
        look.isFaded = lifted != nil && index != lifted
        // A lifted tile moves one cell up if there is room, so that it appears above the others.
        if look.isLifted, geometry.layout != .list { tile.row = max(area.row, tile.row - 1) }
        kind.draw(source.item(at: index), look, in: tile, on: &canvas)
        canvas.hit(tile, .item(index))
      }
    }
    drawScrollBar(in: area, on: &canvas)
  }

  /// Draws the indicator of a list that the user has pulled beyond its top.
  func drawPull(in area: Rect, on canvas: inout Canvas) {
    guard pull > 0 else { return }
    let line = area.line(0)
    canvas.fill(line, .dialog)
    let arrows = String(repeating: "↓", count: pull)
    canvas.text(
      "\(arrows) \(Self.pullToRefresh - pull) more to refresh", in: line, .dialog, .centre)
  }

  /// Draws a scroll bar at the right edge if not all lines fit.
  private func drawScrollBar(in area: Rect, on canvas: inout Canvas) {
    let lines = geometry.lines(count)
    guard geometry.layout != .strip, lines > geometry.visibleLineCount, area.rows > 1 else {
      return
    }
    let height = max(1, area.rows * geometry.visibleLineCount / lines)
    let room = area.rows - height
    let last = max(1, geometry.lastTop(count))
    // Lists have millions of lines at most, so the product does not overflow.
    let start = min(room, (top * room + last / 2) / last)
    for row in 0..<area.rows {
      let isThumb = row >= start && row < start + height
      canvas.text(
        isThumb ? "┃" : "│",
        in: Rect(area.column + area.columns - 1, area.row + row, 1, 1),
        isThumb ? .dim : .faint)
    }
  }
}
