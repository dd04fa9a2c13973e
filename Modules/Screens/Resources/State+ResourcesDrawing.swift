import Models
import Terminal

extension State {
  func drawResources(_ layout: ScreenLayout, on canvas: inout Canvas) {
    guard let screen = resources else { return }
    drawTitle(
      screen.record.record.title, recordFacts(screen.record), in: layout.title, on: &canvas)
    if screen.window.count == 0 {
      canvas.text("No images yet", in: layout.content.line(layout.content.rows / 2), .dim, .centre)
    }
    screen.collection.draw(resourceTile, resourceEntries(screen), in: layout.content, on: &canvas)
    drawPull(screen.collection, in: layout.content, on: &canvas)
  }

  /// State and progress of a record, for the title line.
  func recordFacts(_ item: RecordItem) -> String {
    let entry = RecordEntry(item, in: library)
    var parts = [entry.status, size.columns < 60 ? entry.share : entry.shortDone]
    if size.columns >= 60, entry.rate > 0 { parts.append(Readable.rate(entry.rate)) }
    return parts.joined(separator: "  ")
  }

  func drawDetails(_ layout: ScreenLayout, on canvas: inout Canvas) {
    guard let screen = details else { return }
    // The title is that of the requirement (LZ3); the record's name comes beside it.
    drawTitle("Image Details", screen.record.record.title, in: layout.title, on: &canvas)
    let inner = layout.header.inset(columns: 2)
    for (column, area) in DetailColumn.places(in: inner) {
      var text = column.title
      if column == screen.order.column { text += screen.order.isReversed ? "▾" : "▴" }
      let isLeft = column == .name || column == .host
      canvas.text(text, in: area, .key, isLeft ? .left : .right)
      canvas.hit(area, .column(column))
    }
    screen.collection.draw(DetailRow(), screen.window, in: layout.content, on: &canvas)
  }
}
