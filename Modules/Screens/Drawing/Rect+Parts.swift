public import Terminal

extension Rect {
  /// One row of it, counted from 0.
  public func line(_ number: Int) -> Rect {
    Rect(column, row + number, columns, number < rows ? 1 : 0)
  }

  /// Takes rows off its upper end.
  mutating func takeTop(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    defer { self = Rect(column, row + taken, columns, rows - taken) }
    return Rect(column, row, columns, taken)
  }

  /// Takes rows off its lower end.
  mutating func takeBottom(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    defer { self = Rect(column, row, columns, rows - taken) }
    return Rect(column, row + rows - taken, columns, taken)
  }

  /// A box of that size in its middle, no larger than it.
  func centred(_ size: Size) -> Rect {
    let (width, height) = (min(size.columns, columns), min(size.rows, rows))
    return Rect(column + (columns - width) / 2, row + (rows - height) / 2, width, height)
  }

  /// What is right of the first so many columns.
  func dropping(columns count: Int) -> Rect {
    Rect(column + count, row, columns - count, rows)
  }

  /// Its first so many columns.
  func prefix(columns count: Int) -> Rect { Rect(column, row, min(count, columns), rows) }
}
