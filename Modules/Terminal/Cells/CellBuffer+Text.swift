extension CellBuffer {
  /// Writes text into one row, from `point` to the right, as far as the clip extends.
  ///
  /// A wide cluster that the clip divides is replaced by a space in the same style. Control characters are
  /// replaced by their symbols (`␊`); characters without width and those that change the direction of text
  /// are omitted, so that untrusted text cannot disturb the screen.
  /// - Parameter point: The start of the text; the part to the left of the clip is skipped.
  /// - Returns: The width of the whole text in columns, including clipped parts.
  @discardableResult
  public mutating func write(_ text: String, at point: Point, style: Style = .plain)
    -> Int
  {
    write(text, at: point, style: style, limit: Int.max)
  }

  /// Writes text in at most `columns`, and truncates it with `…` if it is longer.
  /// - Returns: The number of columns used, at most `columns`.
  @discardableResult
  public mutating func write(
    _ text: String, at point: Point, columns: Int, style: Style = .plain
  ) -> Int {
    guard columns > 0 else { return 0 }
    guard TextWidth.columns(text) > columns else { return write(text, at: point, style: style) }
    let used = write(text, at: point, style: style, limit: columns &- 1)
    write("…", at: Point(point.column &+ used, point.row), style: style, limit: 1)
    return used &+ 1
  }

  @discardableResult
  private mutating func write(
    _ text: String, at point: Point, style: Style, limit: Int
  ) -> Int {
    guard point.row >= clip.row, point.row < clip.endRow, !clip.isEmpty else {
      return min(TextWidth.columns(text), limit)
    }
    var writer = RowWriter(buffer: size, clip: clip, point: point, style: style)
    cells.withUnsafeMutableBufferPointer { cells in
      TextWidth.forEachCluster(text) { cluster in
        guard writer.usedColumns &+ cluster.kind.width <= limit else { return false }
        writer.write(cluster, into: cells)
        return true
      }
    }
    return writer.usedColumns
  }
}

/// A writer that appends clusters to a row.
private struct RowWriter {
  let start: Int
  let end: Int
  let clip: Range<Int>
  let origin: Int
  let style: Style
  private(set) var usedColumns = 0

  init(buffer: Size, clip: Rect, point: Point, style: Style) {
    start = point.row &* buffer.columns
    end = start &+ buffer.columns
    self.clip = clip.column..<clip.endColumn
    // A column beyond the limit is outside any buffer; the limit avoids an overflow of sums.
    origin = max(-1 << 30, min(1 << 30, point.column))
    self.style = style
  }

  mutating func write(_ cluster: MeasuredCluster, into cells: UnsafeMutableBufferPointer<Cell>) {
    let width = cluster.kind.width
    let column = origin &+ usedColumns
    usedColumns &+= width
    if width == 1 {
      guard clip.contains(column) else { return }
      detach(start &+ column, in: cells)
      cells[start &+ column] = Cell(content: cluster.content, kind: cluster.kind, style: style)
    } else if width == 2 {
      writeWide(cluster, at: column, into: cells)
    }
  }

  private func writeWide(
    _ cluster: MeasuredCluster, at column: Int, into cells: UnsafeMutableBufferPointer<Cell>
  ) {
    let left = clip.contains(column)
    let right = clip.contains(column &+ 1)
    if left { detach(start &+ column, in: cells) }
    if right { detach(start &+ column &+ 1, in: cells) }
    if left && right {
      cells[start &+ column] = Cell(content: cluster.content, kind: cluster.kind, style: style)
      cells[start &+ column &+ 1] = Cell(content: 0, kind: .continuation, style: style)
    } else if left || right {
      cells[start &+ column &+ (left ? 0 : 1)] = Cell(content: 0x20, kind: .narrow, style: style)
    }
  }

  /// Blanks the other half of a wide cluster of which one half, at `index`, will be overwritten.
  @inline(__always)
  private func detach(_ index: Int, in cells: UnsafeMutableBufferPointer<Cell>) {
    let width = cells[index].kind.width
    if width == 1 { return }
    let other = width == 2 ? index &+ 1 : index &- 1
    guard other >= start, other < end else { return }
    cells[other].content = 0x20
    cells[other].kind = .narrow
  }
}
