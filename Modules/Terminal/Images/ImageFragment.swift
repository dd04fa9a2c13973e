/// A rectangle of cells that shows a part of an image and is not covered.
struct ImageFragment: Hashable {
  let image: Image
  let rect: Rect
  /// The part of the image that fills `rect`, in pixels.
  let source: PixelRect

  /// Returns the visible parts of all images on a screen. A partly covered image is divided into
  /// rectangles.
  static func visible(in buffer: CellBuffer) -> [ImageFragment] {
    var fragments: [ImageFragment] = []
    for (number, placement) in buffer.placements.enumerated() {
      for rect in visibleRects(of: UInt32(number), placement.rect, in: buffer) {
        if let fragment = ImageFragment(placement, showing: rect) { fragments.append(fragment) }
      }
    }
    return fragments
  }

  /// Creates the part of a placement that lies in `rect`; nil if it is smaller than a pixel.
  init?(_ placement: ImagePlacement, showing rect: Rect) {
    self.init(placement.image, placement.source, of: placement.rect, showing: rect)
  }

  /// Creates the part in `rect` of an image whose pixels in `source` fill `whole`; nil if it is smaller than a pixel.
  private init?(_ image: Image, _ source: PixelRect, of whole: Rect, showing rect: Rect) {
    self.image = image
    self.rect = rect
    if rect == whole {
      self.source = source
      return
    }
    /// Converts a number of cells to pixels of the image, rounded to the nearest.
    func pixels(_ cells: Int, of all: Int, _ length: Int) -> Int {
      (2 * cells * length + all) / (2 * all)
    }
    let left = pixels(rect.column - whole.column, of: whole.columns, source.width)
    let right = pixels(rect.endColumn - whole.column, of: whole.columns, source.width)
    let top = pixels(rect.row - whole.row, of: whole.rows, source.height)
    let bottom = pixels(rect.endRow - whole.row, of: whole.rows, source.height)
    self.source = PixelRect(source.x + left, source.y + top, right - left, bottom - top)
    if self.source.isEmpty { return nil }
  }

  /// Divides the fragment into parts of about the same size, none of which has more cells than `limit` in a direction.
  func divided(into limit: Size) -> [ImageFragment] {
    let columns = Self.division(of: rect.columns, into: limit.columns)
    let rows = Self.division(of: rect.rows, into: limit.rows)
    guard columns.count > 1 || rows.count > 1 else { return [self] }
    return rows.flatMap { row in
      columns.compactMap { column in
        let part = Rect(
          rect.column + column.lowerBound, rect.row + row.lowerBound, column.count, row.count)
        return ImageFragment(image, source, of: rect, showing: part)
      }
    }
  }

  /// Divides a number of cells into the fewest ranges of at most `limit` cells, which differ by one cell at most.
  private static func division(of count: Int, into limit: Int) -> [Range<Int>] {
    let limit = max(1, limit)
    let parts = max(1, count / limit + (count % limit > 0 ? 1 : 0))
    return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
  }

  /// Returns the runs of cells that show placement `number`; equal runs in adjacent rows are merged.
  private static func visibleRects(
    of number: UInt32, _ rect: Rect, in buffer: CellBuffer
  ) -> [Rect] {
    let area = rect.intersection(buffer.bounds)
    var done: [Rect] = []
    var open: [Rect] = []
    for row in area.row..<max(area.row, area.endRow) {
      var next: [Rect] = []
      var column = area.column
      while column < area.endColumn {
        guard shows(number, column, row, buffer) else {
          column += 1
          continue
        }
        let start = column
        while column < area.endColumn, shows(number, column, row, buffer) { column += 1 }
        if let above = open.firstIndex(where: {
          $0.column == start && $0.endColumn == column
        }) {
          var grown = open.remove(at: above)
          grown.rows += 1
          next.append(grown)
        } else {
          next.append(Rect(start, row, column - start, 1))
        }
      }
      done += open
      open = next
    }
    return done + open
  }

  @inline(__always)
  private static func shows(
    _ number: UInt32, _ column: Int, _ row: Int, _ buffer: CellBuffer
  ) -> Bool {
    let cell = buffer.cells[row &* buffer.width &+ column]
    return cell.kind.contains(.image) && cell.content == number
  }
}
