import Models
import ProgressTree
import Terminal

extension State {
  func drawSlices(_ layout: ScreenLayout, on canvas: inout Canvas) {
    guard let screen = slices else { return }
    let side = sliceSide
    var shown: [Residency] = []
    shown.reserveCapacity(screen.slices.count)
    for slice in screen.slices {
      shown.append(
        pictures.residency(
          of: slice, sliceKey(slice, side: side),
          isActive: library.facts.activities[slice.id] != nil))
    }
    drawTitle(
      screen.record.record.title, position(screen, shown), in: layout.title, on: &canvas)
    drawSlice(screen, in: layout.content, on: &canvas)
    drawSliceFooter(screen, shown, in: layout.footer, on: &canvas)
    if screen.showsInfo { drawSliceInfo(screen, in: layout.content, on: &canvas) }
  }

  private func position(_ screen: SlicesScreen, _ shown: [Residency]) -> String {
    guard !screen.slices.isEmpty else { return "…" }
    var text = "\(screen.position + 1)/\(screen.slices.count)"
    if screen.isPlaying {
      text = "▶ \(Int(screen.imagesPerSecond)) fps  " + text
      if screen.dropped > 0 {
        text = CountText.text(screen.dropped, "frame") + " dropped  " + text
      }
    }
    return text
  }

  private func drawSlice(_ screen: SlicesScreen, in area: Rect, on canvas: inout Canvas) {
    switch shownSlice {
    case .own(let picture): draw(picture, screen, in: area, on: &canvas)
    case .nearest(let picture, let index):
      draw(picture, screen, in: area, on: &canvas)
      let mark = " Slice \(screen.position + 1) is not here yet; this is slice \(index + 1) "
      canvas.text(mark, in: area.line(0), .chosenButton, .centre)
    case .error(let reason):
      drawGrey(["Error", screen.current?.name ?? "", reason], in: area, on: &canvas)
    case .nothing:
      drawGrey([screen.current.map { missingText($0, screen) } ?? "…"], in: area, on: &canvas)
    }
    canvas.text("Not for diagnosis", in: area.line(area.rows - 1), .dim, .right)
  }

  /// What a slice waits for; nothing to say where only its picture is on the way.
  private func missingText(_ slice: Slice, _ screen: SlicesScreen) -> String {
    let text = statusText(slice, screen)
    return text == "Finished" ? "…" : text
  }

  private func statusText(_ slice: Slice, _ screen: SlicesScreen) -> String {
    library.statusText(
      of: slice.id, slice.state, isCancelled: slice.isCancelled, in: screen.record.record)
  }

  private func draw(
    _ picture: Picture, _ screen: SlicesScreen, in area: Rect, on canvas: inout Canvas
  ) {
    let place = screen.zoom.place(picture.size, in: area, cell: cellPixels)
    canvas.picture(picture, in: place.rect, source: place.source)
  }

  private func drawSliceFooter(
    _ screen: SlicesScreen, _ shown: [Residency], in area: Rect, on canvas: inout Canvas
  ) {
    var inner = area.inset(columns: 1)
    let here = shown.count { $0 == .stored || $0 == .decoded }
    let failed = shown.count { $0 == .error }
    let cancelled = shown.count { $0 == .cancelled }
    if here + failed + cancelled < shown.count {
      let used = canvas.text(
        "\(loadingText(screen)) \(here)/\(shown.count) ", in: inner, .accent)
      inner = inner.dropping(columns: used)
    } else if failed > 0 {
      let used = canvas.text("\(failed) failed ", in: inner, .error)
      inner = inner.dropping(columns: used)
    }
    ResidencyStrip.draw(
      count: shown.count, position: screen.position, in: inner, on: &canvas
    ) { shown[$0] }
  }

  /// What is happening to the slices that are not here.
  private func loadingText(_ screen: SlicesScreen) -> String {
    let record = screen.record.record
    if library.isPaused(record) { return StatusText.paused }
    if !library.isRunning { return StatusText.stopped }
    let isMoving = library.facts.records[record.id].map { $0.activity != ActivityCounts() } ?? false
    return record.isLazy && !isMoving ? StatusText.onDemand : "Loading"
  }

  private func drawSliceInfo(_ screen: SlicesScreen, in area: Rect, on canvas: inout Canvas) {
    guard let slice = screen.current else { return }
    var lines = [
      ("Slice", "\(screen.position + 1) of \(screen.slices.count)"),
      ("Number", "\(screen.record.number):\(slice.index)"), ("Name", slice.name),
    ]
    lines.append(("State", statusText(slice, screen)))
    if let reason = slice.reason, !slice.isCancelled { lines.append(("Reason", reason)) }
    InfoBox.draw(lines.map { (name: $0.0, value: $0.1) }, in: area, on: &canvas)
  }
}
