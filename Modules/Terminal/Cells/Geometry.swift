/// A position on the screen, in cells from the top left corner, which is (0, 0).
public struct Point: Sendable, Hashable {
  public var column: Int
  public var row: Int

  public init(_ column: Int, _ row: Int) {
    self.column = column
    self.row = row
  }
}

/// A size in columns and rows of cells.
public struct Size: Sendable, Hashable {
  public var columns: Int
  public var rows: Int

  public init(_ columns: Int, _ rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A size in pixels.
public struct PixelSize: Sendable, Hashable {
  public var width: Int
  public var height: Int

  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of cells. A rectangle without columns or rows is empty.
public struct Rect: Sendable, Hashable {
  public var column: Int
  public var row: Int
  public var columns: Int
  public var rows: Int

  public init(_ column: Int, _ row: Int, _ columns: Int, _ rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  public init(_ size: Size) { self.init(0, 0, size.columns, size.rows) }

  public var origin: Point { Point(column, row) }
  public var size: Size { Size(columns, rows) }
  /// The first column to the right of the rectangle.
  public var endColumn: Int { column &+ columns }
  /// The first row below the rectangle.
  public var endRow: Int { row &+ rows }
  public var isEmpty: Bool { columns <= 0 || rows <= 0 }

  public func contains(_ point: Point) -> Bool {
    point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
  }

  public func intersection(_ other: Rect) -> Rect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return Rect(
      left, top, min(endColumn, other.endColumn) &- left, min(endRow, other.endRow) &- top)
  }

  /// Returns the rectangle without `columns` at the left and at the right, and without `rows` at the top and
  /// the bottom.
  public func inset(columns: Int = 0, rows: Int = 0) -> Rect {
    Rect(
      column &+ columns, row &+ rows, self.columns &- 2 &* columns, self.rows &- 2 &* rows)
  }
}

/// A rectangle of pixels in an image, measured from its top left corner.
public struct PixelRect: Sendable, Hashable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public init(_ size: PixelSize) { self.init(0, 0, size.width, size.height) }

  public var isEmpty: Bool { width <= 0 || height <= 0 }

  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      left, top, min(x &+ width, other.x &+ other.width) &- left,
      min(y &+ height, other.y &+ other.height) &- top)
  }
}
