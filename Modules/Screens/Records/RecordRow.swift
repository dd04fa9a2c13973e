import Terminal

/// A row of the list of records: one line, or two in a narrow window.
struct RecordRow: ItemKind {
  /// The columns of a wide list, which all visible rows share.
  var columns = RecordColumns(0, [])

  /// The smallest width in cells at which everything fits into one line.
  static let wide = 76

  func size(in layout: CollectionLayout, room: Size) -> Size {
    Size(room.columns, room.columns >= Self.wide ? 1 : 2)
  }

  /// Returns the part of a row, or of the header line, that holds text.
  static func inside(_ area: Rect) -> Rect {
    Rect(area.column + 2, area.row, area.columns - 4, area.rows)
  }

  func draw(_ item: RecordEntry?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas) {
    if look.isSelected { canvas.fill(area, .selected) }
    guard let item else {
      canvas.text("…", in: area.line(0).inset(columns: 2), .faint)
      return
    }
    canvas.drawAppearance(look, in: area)
    let inner = Self.inside(area)
    canvas.withBackground(of: look.isSelected ? .selected : .text) { canvas in
      if area.columns >= Self.wide {
        drawWide(item, look, in: inner, on: &canvas)
      } else {
        drawNarrow(item, look, in: inner, on: &canvas)
      }
    }
  }

  private func drawWide(
    _ item: RecordEntry, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) {
    for (column, place) in columns.areas(in: area) {
      switch column {
      case .title: drawTitle(item, look, in: place, on: &canvas)
      case .status: canvas.text(item.status, in: place, look.role(Self.statusRole(item)))
      case .bar: canvas.bar(item.fraction, in: place, item.failed > 0 ? .warning : .bar)
      case .done:
        canvas.text(
          columns.isTight ? item.shortDone : item.completionText, in: place, look.role(.text),
          .right)
      case .rate: canvas.text(Readable.rate(item.rate), in: place, look.role(.text), .right)
      case .left:
        canvas.text(
          item.secondsLeft.map(Readable.duration) ?? "", in: place, look.role(.dim), .right)
      }
    }
  }

  private func drawNarrow(
    _ item: RecordEntry, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) {
    var line = area.line(0)
    let done = canvas.text(item.shortDone, in: line, look.role(.text), .right)
    drawTitle(item, look, in: line.prefix(columns: line.columns - done - 1), on: &canvas)
    line = area.line(1)
    let status = canvas.text(item.status, in: line, look.role(Self.statusRole(item)))
    var rest = line.dropping(columns: max(status, columns.narrowStatusWidth) + 1)
    let rate = Readable.rate(item.rate)
    if !rate.isEmpty, rest.columns >= rate.count {
      canvas.text(rate, in: rest, look.role(.dim), .right)
      rest = rest.prefix(columns: rest.columns - rate.count - 1)
    }
    if rest.columns > 2 {
      canvas.bar(item.fraction, in: rest, item.failed > 0 ? .warning : .bar)
    }
  }

  /// Draws the title, and the origin that distinguishes the record from others of the same title.
  private func drawTitle(
    _ item: RecordEntry, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas
  ) {
    let role: TextRole = look.isFaded ? .faint : .strong
    guard !item.origin.isEmpty else {
      canvas.text(item.title, in: area, role)
      return
    }
    // The title gets half of the width, and the part of the other half that the origin does not need.
    let wanted = TextWidth.columns(item.origin) + 1
    let title = area.prefix(columns: max(area.columns / 2, area.columns - wanted))
    let used = canvas.text(item.title, in: title, role)
    canvas.text(item.origin, in: area.dropping(columns: used + 1), look.role(.dim))
  }

  static func statusRole(_ item: RecordEntry) -> TextRole {
    if item.isActive { return .accent }
    if item.failed > 0 { return .error }
    return item.settled == item.total ? .good : .dim
  }
}
