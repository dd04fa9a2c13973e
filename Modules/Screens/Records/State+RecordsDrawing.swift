import ProgressTree
import Models
import Terminal

extension State {
  func drawRecords(_ layout: ScreenLayout, on canvas: inout Canvas) {
    drawTitle("imgdl  \(libraryName)", titleFacts, in: layout.title, on: &canvas)
    let columns = RecordColumns(RecordRow.inside(layout.content).columns, entriesInSight)
    if records.collection.count > 0 {
      drawRecordsHeader(columns, in: layout.header, on: &canvas)
    }
    if records.isLoaded, records.collection.count == 0 {
      drawEmpty(in: layout.content, on: &canvas)
    } else {
      records.collection.draw(
        RecordRow(columns: columns), recordEntries, in: layout.content, on: &canvas)
    }
    drawPull(records.collection, in: layout.content, on: &canvas)
    if layout.footer.rows > 1 {
      drawTotal(in: layout.footer.line(0), on: &canvas)
      drawSlider(in: layout.footer.line(1), on: &canvas)
    } else {
      let half = layout.footer.columns / 2
      drawTotal(in: layout.footer.prefix(columns: half), on: &canvas)
      drawSlider(in: layout.footer.dropping(columns: half), on: &canvas)
    }
  }

  /// Those that are in sight and here.
  private var entriesInSight: [RecordEntry] {
    records.visibleRecords.map { RecordEntry($0, in: library) }
  }

  private var titleFacts: String {
    var parts: [String] = []
    if case .other(let program) = library.owner, size.columns >= 70 { parts.append(program) }
    if library.facts.isPaused {
      parts.append("Paused")
    } else if library.facts.active > 0 {
      parts.append("↓ \(library.facts.active)")
    }
    let count = records.window.count
    if records.isLoaded, records.order == nil { parts.append(CountText.text(count, "record")) }
    return parts.joined(separator: "  ")
  }

  private func drawRecordsHeader(
    _ columns: RecordColumns, in area: Rect, on canvas: inout Canvas
  ) {
    guard !area.isEmpty else { return }
    for (column, place) in columns.places(in: RecordRow.inside(area))
    where place.columns >= TextWidth.columns(column.title) {
      canvas.text(column.title, in: place, .dim, column.alignment)
    }
  }

  /// The first launch, or a filter that nothing passes.
  private func drawEmpty(in area: Rect, on canvas: inout Canvas) {
    let isFiltered = !records.arrangement.filter.isEmpty
    var lines: [(String, Ink)] =
      isFiltered
      ? [("No title contains “\(records.arrangement.filter)”.", .strong)]
      : [
        ("Nothing here yet.", .strong), ("", .text),
        ("Press a to add a path or a URL:", .text),
        ("a zip of lists, a JSON or text list,", .dim),
        ("a PDF, an archive, an image, a CT series.", .dim), ("", .text),
        ("You can also paste it here.", .dim), ("? shows all keys.", .dim),
      ]
    lines = Array(lines.prefix(area.rows))
    let box = area.centred(Size(area.columns, lines.count))
    for (number, line) in lines.enumerated() {
      canvas.text(line.0, in: box.line(number), line.1, .centre)
    }
  }

  /// The spring of a list that is pulled beyond its top.
  func drawPull(_ collection: CollectionView, in area: Rect, on canvas: inout Canvas) {
    guard collection.pull > 0 else { return }
    let line = area.line(0)
    canvas.fill(line, .dialog)
    let left = CollectionView.pullToRefresh - collection.pull
    let arrows = String(repeating: "↓", count: collection.pull)
    canvas.text(
      "\(arrows) \(left) more to refresh", in: line, .dialog, .centre)
  }

  private func drawTotal(in area: Rect, on canvas: inout Canvas) {
    let facts = library.facts
    let counts = facts.counts
    let progress = library.facts.progress
    let inner = area.inset(columns: 1)
    let sum = LibrarySum(counts, progress)
    let cancelled = min(library.facts.cancelled, sum.failed)
    let failed = sum.failed - cancelled
    var parts = ["\(Readable.count(sum.finished))/\(Readable.count(sum.total))"]
    if failed > 0 { parts.append("\(Readable.count(failed)) failed") }
    if cancelled > 0 { parts.append("\(Readable.count(cancelled)) cancelled") }
    if library.facts.active > 0 {
      parts.append(Readable.rate(progress.bytesPerSecond))
      if let left = progress.secondsLeft { parts.append(Readable.duration(left)) }
    } else if counts.bytes > 0 {
      parts.append(ByteText.short(counts.bytes))
    }
    parts.removeAll { $0.isEmpty }
    // A bar of a few cells is worth more than the last of the numbers.
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

  /// How many downloads at the same time (DL3).
  private func drawSlider(in area: Rect, on canvas: inout Canvas) {
    var inner = area.inset(columns: 1)
    let label = area.columns < 60 ? "At once { " : "Downloads at once { "
    let used = canvas.text(label, in: inner, .dim)
    canvas.hit(inner.prefix(columns: used), .command(.fewer))
    inner = inner.dropping(columns: used)
    let value = " } \(concurrency)"
    let room = inner.prefix(columns: min(60, inner.columns - 8))
    canvas.fill(room, .barEmpty, with: "─")
    let fraction = ConcurrencyScale.fraction(concurrency)
    let knob = Int((fraction * Double(max(0, room.columns - 1))).rounded())
    canvas.text(String(repeating: "━", count: knob), in: room, .bar)
    canvas.text("●", in: room.dropping(columns: knob).prefix(columns: 1), .key)
    canvas.hit(room, .concurrency)
    let end = inner.dropping(columns: room.columns)
    canvas.text(value, in: end, .dim)
    canvas.hit(end.prefix(columns: 3), .command(.more))
  }
}
