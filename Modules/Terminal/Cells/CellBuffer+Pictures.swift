extension CellBuffer {
  /// Shows a picture in a rectangle of cells, stretched to fill it; what is drawn later lies above
  /// it. Only cells inside the clip show it.
  /// - Parameters:
  ///   - rect: may lie partly outside the clip. `fittedRect` finds one with the right shape.
  ///   - source: the part of the picture to show; nil for all. Pan and zoom change this.
  public mutating func place(_ picture: Picture, in rect: Rect, source: PixelRect? = nil) {
    let whole = PixelRect(picture.size)
    let source = (source ?? whole).intersection(whole)
    let area = rect.intersection(clip)
    guard !area.isEmpty, !source.isEmpty else { return }
    let number = UInt32(clamping: placements.count)
    placements.append(PicturePlacement(picture: picture, rect: rect, source: source))
    let cell = Cell(content: number, kind: [.picture, .narrow], style: .plain)
    for row in area.row..<area.endRow {
      let start = row &* size.columns
      splitWide(at: start &+ area.column, row: row)
      splitWide(at: start &+ area.endColumn, row: row)
      for index in start &+ area.column..<start &+ area.endColumn { cells[index] = cell }
    }
  }

  /// Whether all cells of the rectangle show pictures or are blank.
  func hasNoText(in rect: Rect) -> Bool {
    let area = rect.intersection(bounds)
    return (area.row..<max(area.row, area.endRow)).allSatisfy { row in
      (area.column..<area.endColumn).allSatisfy { column in
        let cell = cells[row &* size.columns &+ column]
        return cell.showsPicture || cell == .blank
      }
    }
  }
}
