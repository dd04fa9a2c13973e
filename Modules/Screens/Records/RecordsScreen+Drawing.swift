import Models
import ProgressTree
import Terminal

extension RecordsScreen {
  func isEnabled(_ command: Command, in context: ScreenContext) -> Bool {
    switch command {
    case .refresh, .remove, .details, .reload: collection.count > 0
    case .retry:
      selected.map { RecordEntry($0, in: context.library).isUnsuccessful } ?? false
    case .reset, .filter, .sort: context.library.snapshot.counts.total > 0 || window.count > 0
    default: true
    }
  }

  func headerRows(in room: Size) -> Int {
    room.columns >= RecordRow.wide && room.rows >= 15 ? 1 : 0
  }

  func footerRows(in room: Size) -> Int { room.columns >= 100 ? 1 : 2 }

  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas) {
    canvas.title(
      "imgdl  \(context.settings.libraryName)", summary(context), in: layout.title)
    let entries = visibleRecords.map { RecordEntry($0, in: context.library) }
    let columns = RecordColumns(RecordRow.inside(layout.content).columns, entries)
    if collection.count > 0 { drawHeader(columns, in: layout.header, on: &canvas) }
    if isLoaded, collection.count == 0 {
      drawEmpty(in: layout.content, on: &canvas)
    } else {
      collection.draw(
        RecordRow(columns: columns), rows(context.library), in: layout.content, on: &canvas)
    }
    collection.drawPull(in: layout.content, on: &canvas)
    let facts = context.library.snapshot
    if layout.footer.rows > 1 {
      drawTotal(facts, in: layout.footer.line(0), on: &canvas)
      concurrency.draw(facts, in: layout.footer.line(1), on: &canvas)
    } else {
      let half = layout.footer.columns / 2
      drawTotal(facts, in: layout.footer.prefix(columns: half), on: &canvas)
      concurrency.draw(facts, in: layout.footer.dropping(columns: half), on: &canvas)
    }
  }

  func drawTextField(in area: Rect, on canvas: inout Canvas) {
    guard let filterField else { return }
    canvas.text("Filter:", in: area.inset(columns: 1), .key)
    filterField.draw(in: area.dropping(columns: 9).inset(columns: 0), on: &canvas)
  }

  func statusText(in context: ScreenContext) -> String? {
    if let source = context.library.snapshot.sources.first { return source }
    return arrangement.isNatural ? context.library.hostStatusText : arrangementText
  }

  private var arrangementText: String {
    var parts: [String] = []
    if !arrangement.filter.isEmpty {
      let count = order.map { CountText.text($0.count, "record") } ?? "…"
      parts.append("“\(arrangement.filter)”: \(count)")
    }
    if arrangement.order != .added || arrangement.isReversed {
      parts.append(
        "Sorted by \(arrangement.order.text)" + (arrangement.isReversed ? ", reversed" : ""))
    }
    return parts.joined(separator: "  ·  ")
  }

  private func rows(_ library: ReportedLibrary) -> some ItemSource<RecordEntry> {
    MappedSource(base: window) { item in
      var entry = RecordEntry(item, in: library)
      if let name = names[item.id] { (entry.title, entry.origin) = (name.title, name.origin) }
      return entry
    }
  }

  private func summary(_ context: ScreenContext) -> String {
    let library = context.library
    var parts: [String] = []
    if case .other(let program) = library.owner, context.display.size.columns >= 70 {
      parts.append(program)
    }
    if library.snapshot.isPaused {
      parts.append("Paused")
    } else if library.snapshot.active > 0 {
      parts.append("↓ \(library.snapshot.active)")
    }
    if isLoaded, order == nil { parts.append(CountText.text(window.count, "record")) }
    return parts.joined(separator: "  ")
  }

  private func drawHeader(_ columns: RecordColumns, in area: Rect, on canvas: inout Canvas) {
    guard !area.isEmpty else { return }
    for (column, place) in columns.areas(in: RecordRow.inside(area))
    where place.columns >= TextWidth.columns(column.title) {
      canvas.text(column.title, in: place, .dim, column.alignment)
    }
  }

  /// Draws the text of an empty list: an introduction, or a note that no record matches the filter.
  private func drawEmpty(in area: Rect, on canvas: inout Canvas) {
    var lines: [(String, TextRole)] =
      arrangement.filter.isEmpty
      ? [
        ("The library is empty.", .strong), ("", .text),
        ("Press a to add a path or a URL:", .text),
        ("a zip of lists, a JSON or text list,", .dim),
        ("a PDF, an archive, an image, a CT series.", .dim), ("", .text),
        ("You can also paste it here.", .dim), ("? shows all keys.", .dim),
      ]
      : [("No title contains “\(arrangement.filter)”.", .strong)]
    lines = Array(lines.prefix(area.rows))
    let box = area.centred(Size(area.columns, lines.count))
    for (number, line) in lines.enumerated() {
      canvas.text(line.0, in: box.line(number), line.1, .centre)
    }
  }

  private func drawTotal(_ facts: LibrarySnapshot, in area: Rect, on canvas: inout Canvas) {
    let progress = facts.progress
    let inner = area.inset(columns: 1)
    let sum = LibrarySum(facts.counts, progress)
    let cancelled = min(facts.cancelled, sum.failed)
    let failed = sum.failed - cancelled
    var parts = ["\(Readable.count(sum.finished))/\(Readable.count(sum.total))"]
    if failed > 0 { parts.append("\(Readable.count(failed)) failed") }
    if cancelled > 0 { parts.append("\(Readable.count(cancelled)) cancelled") }
    if facts.active > 0 {
      parts.append(Readable.rate(progress.bytesPerSecond))
      if let left = progress.secondsLeft { parts.append(Readable.duration(left)) }
    } else if facts.counts.bytes > 0 {
      parts.append(ByteText.short(facts.counts.bytes))
    }
    parts.removeAll { $0.isEmpty }
    // The last numbers are omitted if the label and the bar would have fewer than 14 cells.
    while parts.count > 1, parts.joined(separator: " · ").count > inner.columns - 14 {
      parts.removeLast()
    }
    let text = parts.joined(separator: " · ")
    let used = canvas.text("Total ", in: inner, .dim)
    let width = TextWidth.columns(text)
    canvas.text(text, in: inner.dropping(columns: used), .text, .right)
    canvas.bar(
      sum.fraction,
      in: inner.dropping(columns: used).prefix(columns: inner.columns - used - width - 1),
      failed > 0 ? .warning : .bar)
  }
}
