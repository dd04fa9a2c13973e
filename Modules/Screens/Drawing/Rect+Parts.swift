public import Terminal

extension Rect {
  /// Returns one row of the rectangle, counted from 0.
  public func line(_ number: Int) -> Rect {
    Rect(column, row + number, columns, number < rows ? 1 : 0)
  }

  /// Removes rows from the top of the rectangle.
  /// - Returns: The removed rows.
  mutating func removeTop(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    defer { self = Rect(column, row + taken, columns, rows - taken) }
    return Rect(column, row, columns, taken)
  }

  /// Removes rows from the bottom of the rectangle.
  /// - Returns: The removed rows.
  mutating func removeBottom(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    defer { self = Rect(column, row, columns, rows - taken) }
    return Rect(column, row + rows - taken, columns, taken)
  }

  /// Returns a rectangle of the given size in the middle of this rectangle, reduced to fit into it.
  func centred(_ size: Size) -> Rect {
    let (width, height) = (min(size.columns, columns), min(size.rows, rows))
    return Rect(column + (columns - width) / 2, row + (rows - height) / 2, width, height)
  }

  /// Returns the rectangle without its first `count` columns.
  func dropping(columns count: Int) -> Rect {
    Rect(column + count, row, columns - count, rows)
  }

  /// Returns the first `count` columns of the rectangle.
  func prefix(columns count: Int) -> Rect { Rect(column, row, min(count, columns), rows) }
}
