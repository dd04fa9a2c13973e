import Terminal

/// A row of the list of records: one line, or two where the window is narrow.
struct RecordRow: ItemKind {
  /// Columns from which on everything fits into one line.
  static let wide = 76

  func size(in layout: CollectionLayout, room: Size) -> Size {
    Size(room.columns, room.columns >= Self.wide ? 1 : 2)
  }

  func draw(_ item: RecordEntry?, _ look: ItemLook, in area: Rect, on canvas: inout Canvas) {
    if look.isSelected { canvas.fill(area, .selected) }
    guard let item else {
      canvas.text("…", in: area.line(0).inset(columns: 2), .faint)
      return
    }
    canvas.mark(look, in: area)
    let inner = Rect(area.column + 2, area.row, area.columns - 4, area.rows)
    canvas.on(look.isSelected ? .selected : .text) { canvas in
      if area.columns >= Self.wide {
        drawWide(item, look, in: inner, on: &canvas)
      } else {
        drawNarrow(item, look, in: inner, on: &canvas)
      }
    }
  }

  private func drawWide(
    _ item: RecordEntry, _ look: ItemLook, in area: Rect, on canvas: inout Canvas
  ) {
    let widths = RecordColumns(area.columns)
    let ink = look.ink(.text)
    var column = area.column
    func next(_ width: Int) -> Rect {
      defer { column += width + 1 }
      return Rect(column, area.row, width, 1)
    }
    canvas.text(item.title, in: next(widths.title), look.isFaded ? .faint : .strong)
    canvas.text(item.status, in: next(widths.status), look.ink(Self.statusInk(item)))
    canvas.bar(item.fraction, in: next(widths.bar), item.failed > 0 ? .warning : .bar)
    canvas.text(Self.progress(item), in: next(widths.done), ink, .right)
    canvas.text(Readable.rate(item.rate), in: next(widths.rate), ink, .right)
    canvas.text(
      item.left.map(Readable.duration) ?? "", in: next(widths.left), look.ink(.dim), .right)
  }

  private func drawNarrow(
    _ item: RecordEntry, _ look: ItemLook, in area: Rect, on canvas: inout Canvas
  ) {
    let done = Self.progress(item)
    let width = done.count
    var line = area.line(0)
    canvas.text(
      item.title, in: Rect(line.column, line.row, line.columns - width - 1, 1),
      look.isFaded ? .faint : .strong)
    canvas.text(done, in: line, look.ink(.text), .right)
    line = area.line(1)
    canvas.text(
      item.status, in: Rect(line.column, line.row, 18, 1),
      look.ink(Self.statusInk(item)))
    let rate = Readable.rate(item.rate)
    canvas.text(rate, in: line, look.ink(.dim), .right)
    let bar = line.columns - 19 - (rate.isEmpty ? 0 : rate.count + 1)
    canvas.bar(
      item.fraction,
      in: Rect(line.column + 19, line.row, bar, 1),
      item.failed > 0 ? .warning : .bar)
  }

  static func progress(_ item: RecordEntry) -> String {
    "\(Readable.count(item.settled))/\(Readable.count(item.total))"
  }

  static func statusInk(_ item: RecordEntry) -> Ink {
    if item.isActive { return .accent }
    if item.failed > 0 { return .error }
    return item.settled == item.total ? .good : .dim
  }
}

/// Widths of the columns of a wide list.
struct RecordColumns {
  let title: Int
  let status = 18
  let bar: Int
  let done = 11
  let rate = 10
  let left = 6

  init(_ width: Int) {
    // Five gaps.
    let flexible = max(10, width - status - done - rate - left - 5)
    bar = max(6, min(40, flexible * 3 / 10))
    title = flexible - bar
  }
}

extension ItemLook {
  /// Faded where another item was lifted.
  func ink(_ ink: Ink) -> Ink { isFaded ? .faint : ink }
}
