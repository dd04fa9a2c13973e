import Models
import Terminal

extension State {
  func drawViewer(_ layout: ScreenLayout, on canvas: inout Canvas) {
    guard let screen = viewer else { return }
    let name = screen.current.map(\.displayName) ?? "…"
    var place = "\(Readable.count(screen.index + 1))/\(Readable.count(screen.count))"
    if screen.pageCount > 1 { place = "page \(screen.page + 1)/\(screen.pageCount)  " + place }
    if screen.zoom.factor > 1 {
      place = "\(Int((screen.zoom.factor * 100).rounded()))%  " + place
    }
    drawTitle(name, place, in: layout.title, on: &canvas)
    drawViewerPicture(screen, in: layout.content, on: &canvas)
    drawViewerStrip(screen, in: layout.footer, on: &canvas)
    if screen.showsInfo { drawInfo(screen, in: layout.content, on: &canvas) }
  }

  private func drawViewerPicture(_ screen: ViewerScreen, in area: Rect, on canvas: inout Canvas) {
    guard let resource = screen.current else {
      return drawGrey(["…"], in: area, on: &canvas)
    }
    func draw(_ picture: Picture) {
      let place = screen.zoom.place(picture.size, in: area, cell: cellPixels)
      canvas.picture(picture, in: place.rect, source: place.source)
    }
    if let picture = viewerPicture(resource, page: screen.page) { return draw(picture) }
    let key = viewerKey(resource, page: screen.page, side: viewerSide)
    let problem = key.flatMap { pictures.problem($0) }
    let isEncrypted =
      pictures.isLockedAgain(resource)
      || key.map { pictures.isEncrypted($0) } ?? false
    let entry = ResourceEntry(
      resource, of: screen.record.record, in: library, picture: nil, problem: problem,
      isEncrypted: isEncrypted)
    if entry.isEncrypted {
      return drawGrey([entry.status, "Enter asks for it"], in: area, on: &canvas)
    }
    // Done, and its picture is on the way: nothing to say.
    var lines = entry.isFailed || entry.status != "Finished" ? [entry.status] : ["…"]
    if let reason = entry.reason { lines.append(reason) }
    if lines == ["…"], let key, pictures.isEvicted(key) { lines = ["Rendering its pages again …"] }
    if lines == ["…"], let former = screen.former { return draw(former) }
    drawGrey(lines, in: area, on: &canvas)
    if let fraction = entry.fraction {
      let line = area.line(area.rows / 2 + 2).centred(Size(min(40, area.columns - 4), 1))
      canvas.bar(fraction, in: line)
    }
  }

  /// A grey image where there is none yet (DL10).
  func drawGrey(_ lines: [String], in area: Rect, on canvas: inout Canvas) {
    let cell = PixelSize(cellPixels.columns, cellPixels.rows)
    let box = PixelSize(4, 3).fittedRect(in: area, cell: cell)
    canvas.fill(box, .placeholder)
    for (number, line) in lines.enumerated() {
      let row = box.line(max(0, box.rows / 2 - lines.count / 2) + number)
      canvas.text(line, in: row.inset(columns: 1), .placeholder, .centre)
    }
  }

  private func drawViewerStrip(_ screen: ViewerScreen, in area: Rect, on canvas: inout Canvas) {
    let arrow = screen.isRightToLeft ? "← " : "→ "
    let used = canvas.text(arrow, in: area.inset(columns: 1), .dim) + 1
    let strip = area.dropping(columns: used).inset(columns: 1)
    let side = viewerSide
    ResidencyStrip.draw(count: screen.count, position: screen.index, in: strip, on: &canvas) {
      index in
      guard screen.places.indices.contains(index) else { return .queued }
      let slice = screen.places[index]
      let key = PictureKey(
        resource: slice.id, stamp: slice.stamp, side: side, turns: screen.turns)
      return pictures.residency(
        of: slice, slice.hasFile ? key : nil, isActive: library.facts.activities[slice.id] != nil,
        showsParts: true)
    }
  }

  private func drawInfo(_ screen: ViewerScreen, in area: Rect, on canvas: inout Canvas) {
    guard let resource = screen.current else { return }
    let page = screen.pageCount > 1 ? screen.page : nil
    var lines: [(String, String)] = [
      ("Name", resource.displayName),
      ("Number", resource.displayNumber(page, in: screen.record)), ("URL", resource.url),
    ]
    if let file = resource.file {
      lines.append(("File", file.name))
      lines.append(("Size", "\(ByteText.short(file.byteCount)), \(file.format.mediaType)"))
    }
    if let pages = screen.pages, pages.id == resource.id, pages.pages.indices.contains(screen.page)
    {
      let page = pages.pages[screen.page]
      lines.append(("Pixels", "\(page.width) × \(page.height)"))
      if let label = page.label { lines.append(("Entry", label)) }
    }
    for column in [DetailColumn.time, .rate, .wait, .host] {
      let text = DetailValue.text(column, resource)
      if !text.isEmpty { lines.append((column.title, text)) }
    }
    lines.append(
      (
        "State",
        library.statusText(
          of: resource.id, resource.state, isCancelled: resource.isCancelled,
          in: screen.record.record)
      ))
    if let reason = resource.reasonWithoutPasswordHint, !resource.isCancelled {
      lines.append(("Reason", reason))
    }
    let key = viewerKey(resource, page: screen.page, side: viewerSide)
    if let problem = key.flatMap({ pictures.problem($0) }) { lines.append(("Picture", problem)) }
    InfoBox.draw(lines, in: area, on: &canvas)
  }
}
