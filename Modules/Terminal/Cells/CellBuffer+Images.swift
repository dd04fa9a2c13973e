extension CellBuffer {
  /// Places an image in a rectangle of cells, scaled to fill it. Content that is drawn later covers the
  /// image. Only cells inside the clip show the image.
  /// - Parameters:
  ///   - rect: The rectangle, which may extend beyond the clip. `fittedRect` returns one with the image's
  ///     aspect ratio.
  ///   - source: The part of the image to show, as for pan and zoom; nil for the whole image.
  public mutating func place(_ image: Image, in rect: Rect, source: PixelRect? = nil) {
    let whole = PixelRect(image.size)
    let source = (source ?? whole).intersection(whole)
    let area = rect.intersection(clip)
    guard !area.isEmpty, !source.isEmpty else { return }
    let number = UInt32(clamping: placements.count)
    placements.append(ImagePlacement(image: image, rect: rect, source: source))
    let cell = Cell(content: number, kind: [.image, .narrow], style: .plain)
    for row in area.row..<area.endRow {
      let start = row &* size.columns
      splitWide(at: start &+ area.column, row: row)
      splitWide(at: start &+ area.endColumn, row: row)
      for index in start &+ area.column..<start &+ area.endColumn { cells[index] = cell }
    }
  }

  /// Returns whether all cells of the rectangle show images or are blank.
  func hasNoText(in rect: Rect) -> Bool {
    let area = rect.intersection(bounds)
    return (area.row..<max(area.row, area.endRow)).allSatisfy { row in
      (area.column..<area.endColumn).allSatisfy { column in
        let cell = cells[row &* size.columns &+ column]
        return cell.showsImage || cell == .blank
      }
    }
  }
}
