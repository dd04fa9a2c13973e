import Glibc

/// Writes the differences between two screens. It keeps only a cache of colours between calls.
///
/// The terminal must not wrap at the right edge (DECAWM off), and its current style must be plain. The style
/// is plain again afterwards; the position of the cursor is undefined.
struct CellDiff {
  private var pen: StyleWriter
  private let unicode: Bool
  private let clusters: ClusterSupport

  init(colours: ColourDepth, unicode: Bool, clusters: ClusterSupport = .unknown) {
    pen = StyleWriter(depth: colours)
    self.unicode = unicode
    self.clusters = clusters
  }

  /// - Parameter old: The screen that the terminal shows; nil if it is unknown or has another size, in which
  ///   case the screen is erased first.
  mutating func write(from old: CellBuffer?, to new: CellBuffer, _ output: inout Output) {
    var writer = RowsWriter(
      pen: pen, unicode: unicode, clusters: clusters, columns: new.width)
    if let old, old.size == new.size {
      old.cells.withUnsafeBufferPointer { old in
        new.cells.withUnsafeBufferPointer { new in writer.write(old, new, &output) }
      }
    } else {
      // `CSI 2 J` would also remove images, and make some terminals scroll the old screen into the history.
      output.append("\u{1b}[H\u{1b}[J")
      let blank = ContiguousArray(repeating: Cell.blank, count: new.cells.count)
      blank.withUnsafeBufferPointer { old in
        new.cells.withUnsafeBufferPointer { new in writer.write(old, new, &output) }
      }
    }
    writer.pen.set(.plain, &output)
    pen = writer.pen
  }
}

/// The handling of a grapheme cluster of several scalars by the terminal.
enum ClusterSupport {
  /// The terminal shows a cluster as one character.
  case known
  /// The handling is unknown, so the cells next to a cluster are written again.
  case unknown
  /// A multiplexer and the outer terminal may disagree on the width of a cluster, and neither can be
  /// corrected, so of joined emoji only the first is written.
  case disputedByMultiplexer
}

/// One pass over the rows of two screens of the same size.
private struct RowsWriter {
  typealias Cells = UnsafeBufferPointer<Cell>

  var pen: StyleWriter
  let unicode: Bool
  let clusters: ClusterSupport
  let columns: Int
  /// The position of the terminal's cursor; column -1 if it is uncertain.
  private var cursor = (column: -1, row: -1)

  init(pen: StyleWriter, unicode: Bool, clusters: ClusterSupport, columns: Int) {
    self.pen = pen
    self.unicode = unicode
    self.clusters = clusters
    self.columns = columns
  }

  mutating func write(_ old: Cells, _ new: Cells, _ output: inout Output) {
    guard let oldStart = old.baseAddress, let newStart = new.baseAddress else { return }
    let bytes = columns &* MemoryLayout<Cell>.stride
    for row in 0..<new.count / columns {
      let start = row &* columns
      if memcmp(oldStart + start, newStart + start, bytes) != 0 {
        writeRow(
          Cells(start: oldStart + start, count: columns),
          Cells(start: newStart + start, count: columns), row, &output)
      }
    }
  }

  private mutating func writeRow(_ old: Cells, _ new: Cells, _ row: Int, _ output: inout Output) {
    let tail = Self.blankTail(new)
    var column = 0
    // Cells before this column are written in any case, because a cluster before them may have spilled into
    // them.
    var forcedEnd = 0
    while column < columns {
      let cell = new[column]
      if cell.kind.width == 0 || column >= forcedEnd && Self.looksSame(old[column], cell) {
        column &+= 1
        continue
      }
      if column >= tail, columns &- column > 3 {
        move(to: column, row, over: new, &output)
        pen.set(.plain, &output)
        output.append("\u{1b}[K")
        return
      }
      move(to: column, row, over: new, &output)
      if cell.kind.contains(.disputed) {
        forcedEnd = max(forcedEnd, column &+ writeDisputed(cell, column, row, &output))
      } else {
        write(cell, &output)
        cursor.column &+= cell.kind.width
      }
      column &+= cell.kind.width
      // Terminals keep the cursor either in the last column or beyond it, so its column is uncertain.
      if column >= columns { cursor.column = -1 }
    }
  }

  /// Returns whether the terminal shows the new cell already. Painters draw images over blank cells.
  @inline(__always)
  private static func looksSame(_ old: Cell, _ new: Cell) -> Bool {
    old == new || new.kind.contains(.image) && old.kind.contains(.image)
  }

  /// Returns the first column of the blank cells at the end of the row.
  private static func blankTail(_ cells: Cells) -> Int {
    var end = cells.count
    while end > 0, cells[end &- 1] == .blank { end &-= 1 }
    return end
  }

  private mutating func move(
    to column: Int, _ row: Int, over cells: Cells, _ output: inout Output
  ) {
    if cursor.row == row, cursor.column == column { return }
    if cursor.row == row, cursor.column >= 0, cursor.column < column {
      let gap = cursor.column..<column
      if gap.count <= 4, gap.allSatisfy({ Self.isCheap(cells[$0], like: cells[column]) }) {
        for between in gap { write(cells[between], &output) }
      } else {
        output.append("\u{1b}[")
        if gap.count > 1 { output.append(number: gap.count) }
        output.append(0x43)
      }
    } else if column == 0, row > 0, cursor.row == row &- 1, cursor.column >= 0 {
      output.append("\r\n")
    } else {
      output.move(to: column, row)
    }
    cursor = (column, row)
  }

  /// Returns whether writing the cell again costs fewer bytes than moving the cursor over it.
  private static func isCheap(_ cell: Cell, like next: Cell) -> Bool {
    cell.kind == .narrow && cell.content < 0x80 && cell.style == next.style
  }

  /// Writes a cluster whose width terminals disagree on, so that the cells next to it are the same on all of
  /// them.
  /// - Returns: The number of columns that a terminal may have written at most.
  private mutating func writeDisputed(
    _ cell: Cell, _ column: Int, _ row: Int, _ output: inout Output
  ) -> Int {
    pen.set(cell.style, &output)
    for _ in 0..<cell.kind.width { output.append(0x20) }
    output.move(to: column, row)
    cursor.column = -1
    guard unicode, cell.kind.contains(.cluster) else {
      write(cell, &output)
      return 2
    }
    let text = ClusterTable.shared.text(cell.content)
    let widest = text.unicodeScalars.reduce(0) { $0 + TextWidth.measure($1).kind.width }
    // At the right edge, a terminal that treats the cluster as several characters would write them over each
    // other.
    let fits = clusters == .known || column &+ widest <= columns
    if fits,
      clusters != .disputedByMultiplexer
        || !text.unicodeScalars.contains(where: { $0.value == 0x200d })
    {
      output.append(text: text)
    } else {
      output.append(scalar: text.unicodeScalars.first?.value ?? 0x20)
    }
    return widest
  }

  @inline(__always)
  private mutating func write(_ cell: Cell, _ output: inout Output) {
    if cell.kind == .narrow {
      pen.set(cell.style, &output)
      if cell.content < 0x80 || unicode {
        output.append(scalar: cell.content)
      } else {
        output.append(ASCIIFallback.byte(for: cell.content))
      }
    } else {
      writeSpecial(cell, &output)
    }
  }

  private mutating func writeSpecial(_ cell: Cell, _ output: inout Output) {
    if cell.kind.contains(.image) {
      pen.set(.plain, &output)
      output.append(0x20)
    } else if cell.kind.contains(.placeholder) {
      pen.setPlaceholder(cell.foreground, &output)
      PlaceholderCell.write(cell.content, &output)
    } else {
      pen.set(cell.style, &output)
      if !unicode {
        for _ in 0..<cell.kind.width { output.append(0x3f) }
      } else if cell.kind.contains(.cluster) {
        output.append(text: ClusterTable.shared.text(cell.content))
      } else {
        output.append(scalar: cell.content)
      }
    }
  }
}
