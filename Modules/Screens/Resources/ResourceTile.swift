import Terminal

/// A tile of the grid, or a row of the list, of screen 2.
struct ResourceTile: ItemKind {
  /// Pixels of a cell, for the shape of pictures.
  let cellPixels: Size

  func size(in layout: CollectionLayout, room: Size) -> Size {
    switch layout {
    case .list: Size(room.columns, room.columns >= Self.wide ? 3 : 2)
    case .grid, .strip:
      // Two beside each other in the narrowest window: as wide as `Downloading 1.2 MB`.
      room.columns < 60 ? Size(20, 5) : room.columns < 120 ? Size(20, 8) : Size(25, 11)
    }
  }

  static let wide = 60

  /// What is left of a tile for its picture.
  static func pictureSize(_ tile: Size, _ layout: CollectionLayout) -> Size {
    layout == .list
      ? Size(tile.rows * 2 + (tile.rows > 2 ? 1 : 0), tile.rows)
      : Size(tile.columns - 2, tile.rows - 2)
  }

  func draw(_ item: ResourceEntry?, _ look: ItemLook, in area: Rect, on canvas: inout Canvas) {
    if look.isSelected { canvas.fill(area, .selected) }
    canvas.mark(look, in: area)
    canvas.on(look.isSelected ? .selected : .text) { canvas in
      if look.layout == .list {
        drawRow(item, look, in: area.inset(columns: 1), on: &canvas)
      } else {
        drawTile(item, look, in: area, on: &canvas)
      }
    }
  }

  private func drawTile(
    _ item: ResourceEntry?, _ look: ItemLook, in area: Rect, on canvas: inout Canvas
  ) {
    var inner = area.inset(columns: 1)
    let status = inner.takeBottom(1)
    let name = inner.takeBottom(1)
    drawPicture(item, look, in: inner, on: &canvas)
    guard let item else { return }
    canvas.text(item.name, in: name, look.ink(.text))
    drawStatus(item, look, in: status, on: &canvas)
  }

  private func drawRow(
    _ item: ResourceEntry?, _ look: ItemLook, in area: Rect, on canvas: inout Canvas
  ) {
    let room = Self.pictureSize(area.size, .list)
    drawPicture(item, look, in: area.prefix(columns: room.columns), on: &canvas)
    guard let item else { return }
    let text = area.dropping(columns: room.columns + 1).inset(columns: 0)
    let body = text.prefix(columns: text.columns - 1)
    canvas.text(item.name, in: body.line(0), look.isFaded ? .faint : .strong)
    let facts = (area.rows > 2 ? [item.size, item.time] : [item.size]).filter { !$0.isEmpty }
      .joined(separator: " · ")
    if area.rows > 2 {
      drawStatus(item, look, in: body.line(1), on: &canvas)
      canvas.text(facts, in: body.line(2), look.ink(.dim))
    } else {
      drawStatus(item, look, in: body.line(1).prefix(columns: 18), on: &canvas)
      canvas.text(facts, in: body.line(1).dropping(columns: 18), look.ink(.dim), .right)
    }
  }

  private func drawPicture(
    _ item: ResourceEntry?, _ look: ItemLook, in area: Rect, on canvas: inout Canvas
  ) {
    if let picture = item?.picture, !look.isFaded {
      let cell = PixelSize(cellPixels.columns, cellPixels.rows)
      canvas.picture(picture, in: picture.size.fittedRect(in: area, cell: cell))
      return
    }
    canvas.fill(area, look.isFaded ? .shade : .placeholder)
    guard area.rows > 0, !look.isFaded else { return }
    let mark = item.map { $0.isFailed ? "✗" : $0.isActive ? "↓" : "▢" } ?? "…"
    canvas.text(mark, in: area.line(area.rows / 2), .placeholder, .centre)
  }

  private func drawStatus(
    _ item: ResourceEntry, _ look: ItemLook, in area: Rect, on canvas: inout Canvas
  ) {
    let ink: Ink = item.isFailed ? .error : item.isActive ? .accent : .dim
    var text = item.status
    if text == "Finished", look.layout != .list { text = item.size }
    if text == "Finished" || look.layout != .list, item.pages > 1 { text += " · \(item.pages) p." }
    if look.layout == .list, item.isFailed, let reason = item.reason { text += ": \(reason)" }
    let used = canvas.text(text, in: area, look.ink(ink))
    if let fraction = item.fraction, area.columns - used > 6 {
      canvas.bar(fraction, in: area.dropping(columns: used + 1).prefix(columns: 20))
    }
  }
}
