/// A frame: a program draws into its cells, then passes it to `TerminalSession.present(_:)`.
///
/// Content outside `clip` or the buffer is not drawn. Drawing does not allocate memory per cell.
public struct CellBuffer: Sendable, Equatable {
  public let size: Size
  /// The cells, row by row.
  var cells: ContiguousArray<Cell>
  /// The area in which drawing has an effect; always inside the buffer.
  public private(set) var clip: Rect
  /// The placed images in drawing order.
  public internal(set) var placements: [ImagePlacement] = []
  /// The position of the terminal's cursor, such as in a text field; nil hides it.
  public var cursor: Point?

  /// The largest number of columns and of rows, more than any terminal has. It limits the memory that a false
  /// size requires.
  static let maximumSide = 1000

  /// Creates a blank buffer. Columns and rows are limited to 1...1,000.
  public init(_ size: Size) {
    self.size = Size(
      max(1, min(Self.maximumSide, size.columns)), max(1, min(Self.maximumSide, size.rows)))
    cells = ContiguousArray(repeating: .blank, count: self.size.columns * self.size.rows)
    clip = Rect(self.size)
  }

  public var width: Int { size.columns }
  public var height: Int { size.rows }
  public var bounds: Rect { Rect(size) }

  /// Returns the cell at a position; blank outside the buffer.
  public subscript(column: Int, row: Int) -> Cell {
    guard bounds.contains(Point(column, row)) else { return .blank }
    return cells[row &* size.columns &+ column]
  }

  /// Draws with a smaller clip: the intersection of `rect` and the current clip.
  public mutating func clipped(to rect: Rect, _ draw: (inout CellBuffer) -> Void) {
    let outer = clip
    clip = outer.intersection(rect)
    draw(&self)
    clip = outer
  }

  /// Fills a rectangle with `character`, or with blanks if that is not one column wide.
  public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
    let area = rect.intersection(clip)
    guard !area.isEmpty else { return }
    var cell = Cell(content: 0x20, kind: .narrow, style: style)
    let measured = TextWidth.measure(character)
    if measured.kind.width == 1 {
      cell.content = measured.content
      cell.kind = measured.kind
    }
    for row in area.row..<area.endRow {
      let start = row &* size.columns
      splitWide(at: start &+ area.column, row: row)
      splitWide(at: start &+ area.endColumn, row: row)
      for index in start &+ area.column..<start &+ area.endColumn { cells[index] = cell }
    }
  }

  /// Changes the style of existing cells, as for fading, highlighting and selections.
  public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(clip)
    guard !area.isEmpty else { return }
    var last: (from: Style, to: Style)?
    for row in area.row..<area.endRow {
      let start = row &* size.columns
      for index in start &+ area.column..<start &+ area.endColumn {
        let style = cells[index].style
        if let last, last.from == style {
          cells[index].style = last.to
        } else {
          let new = change(style)
          last = (style, new)
          cells[index].style = new
        }
      }
    }
  }

  /// Blanks the wide cluster whose right half is at `index`, before that half is overwritten.
  mutating func splitWide(at index: Int, row: Int) {
    guard index > row &* size.columns, index < (row &+ 1) &* size.columns else { return }
    guard cells[index].kind.width == 0 else { return }
    for half in [index &- 1, index] {
      cells[half].content = 0x20
      cells[half].kind = .narrow
    }
  }

  /// Returns the text of a row without trailing spaces, for tests and screen readers.
  public func text(ofRow row: Int) -> String {
    var text = ""
    for column in 0..<size.columns {
      let cell = self[column, row]
      text += cell.showsImage ? " " : cell.text
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
