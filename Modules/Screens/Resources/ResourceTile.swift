import Terminal

/// The drawing of a resource: a tile of the grid, or a row of the list.
struct ResourceTile: ItemKind {
  /// The size of a cell in pixels, which determines the shape of images.
  let cellPixels: Size

  func size(in layout: CollectionLayout, room: Size) -> Size {
    switch layout {
    case .list: Size(room.columns, room.columns >= Self.wide ? 3 : 2)
    case .grid, .strip:
      // Two tiles fit next to each other into the narrowest window, each wide enough for `Downloading 1.2
      // MB`.
      room.columns < 60 ? Size(20, 5) : room.columns < 120 ? Size(20, 8) : Size(25, 11)
    }
  }

  static let wide = 60

  /// Returns the size of the image within a tile, in cells.
  static func imageSize(_ tile: Size, _ layout: CollectionLayout) -> Size {
    layout == .list
      ? Size(tile.rows * 2 + (tile.rows > 2 ? 1 : 0), tile.rows)
      : Size(tile.columns - 2, tile.rows - 2)
  }

  func draw(_ item: ResourceEntry?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas)
  {
    if look.isSelected { canvas.fill(area, .selected) }
    canvas.drawAppearance(look, in: area)
    canvas.withBackground(of: look.isSelected ? .selected : .text) { canvas in
      if look.layout == .list {
        drawRow(item, look, in: area.inset(columns: 1), on: &canvas)
      } else {
        drawTile(item, look, in: area, on: &canvas)
      }
    }
  }

  private func drawTile(
    _ item: ResourceEntry?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) {
    var inner = area.inset(columns: 1)
    let status = inner.removeBottom(1)
    let name = inner.removeBottom(1)
    drawImage(item, look, in: inner, on: &canvas)
    guard let item else { return }
    canvas.text(item.name, in: name, look.role(.text))
    drawStatus(item, look, in: status, on: &canvas)
  }

  private func drawRow(
    _ item: ResourceEntry?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) {
    let room = Self.imageSize(area.size, .list)
    drawImage(item, look, in: area.prefix(columns: room.columns), on: &canvas)
    guard let item else { return }
    let text = area.dropping(columns: room.columns + 1).inset(columns: 0)
    let body = text.prefix(columns: text.columns - 1)
    canvas.text(item.name, in: body.line(0), look.isFaded ? .faint : .strong)
    let facts = (area.rows > 2 ? [item.size, item.time] : [item.size]).filter { !$0.isEmpty }
      .joined(separator: " · ")
    if area.rows > 2 {
      drawStatus(item, look, in: body.line(1), on: &canvas)
      canvas.text(facts, in: body.line(2), look.role(.dim))
    } else {
      // The status is never truncated; size and time are omitted if they do not fit beside it.
      let used = drawStatus(item, look, in: body.line(1), on: &canvas)
      let rest = body.line(1).dropping(columns: used + 1)
      if rest.columns >= TextWidth.columns(facts) {
        canvas.text(facts, in: rest, look.role(.dim), .right)
      }
    }
  }

  private func drawImage(
    _ item: ResourceEntry?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) {
    if let image = item?.image, !look.isFaded {
      let cell = PixelSize(cellPixels.columns, cellPixels.rows)
      canvas.image(image, in: image.size.fittedRect(in: area, cell: cell))
      return
    }
    canvas.fill(area, look.isFaded ? .shade : .placeholder)
    guard area.rows > 0, !look.isFaded else { return }
    let mark =
      item.map { $0.isEncrypted ? "•••" : $0.isFailed ? "✗" : $0.isActive ? "↓" : "▢" } ?? "…"
    canvas.text(mark, in: area.line(area.rows / 2), .placeholder, .centre)
  }

  /// Draws the status.
  /// - Returns: The number of columns used.
  @discardableResult
  private func drawStatus(
    _ item: ResourceEntry, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) -> Int {
    let role: TextRole =
      item.isEncrypted ? .warning : item.isFailed ? .error : item.isActive ? .accent : .dim
    var used = canvas.text(statusText(item, look, area.columns), in: area, look.role(role))
    if let fraction = item.fraction, area.columns - used > 6 {
      let bar = area.dropping(columns: used + 1).prefix(columns: 20)
      canvas.bar(fraction, in: bar)
      used += 1 + bar.columns
    }
    return used
  }

  private func statusText(_ item: ResourceEntry, _ look: ItemAppearance, _ room: Int) -> String {
    let isFinished = item.status == "Finished"
    if look.layout == .list, item.isFailed, !item.isEncrypted, let reason = item.reason {
      return "\(item.status): \(reason)"
    }
    // A tile shows the size of the file instead of the status `Finished`.
    let text = isFinished && look.layout != .list ? item.size : item.status
    guard isFinished, item.pages > 1 else { return text }
    let pages = CountText.text(item.pages, "page")
    let both = "\(text) · \(pages)"
    return TextWidth.columns(both) <= room ? both : pages
  }
}
