import Models
import ProgressTree
import Terminal

extension SlicesScreen {
  func label(_ command: Command) -> String? {
    command == .cine ? (playback.isOn ? "Stop" : "Cine") : nil
  }

  // MARK: - Images

  /// Returns up to 32 missing images, nearest to the position first, among the slices that fit into memory.
  func visibleImages(in context: ScreenContext) -> [ImageKey] {
    let side = side(in: context)
    let room = max(16, context.images.byteLimit / 10 * 8 / (side * side * 4))
    var keys: [ImageKey] = []
    for index in order(limit: room) {
      guard let key = key(slices[index], side) else { continue }
      if index == location || !context.images.hasAnswer(for: key) { keys.append(key) }
      if keys.count >= 32 { break }
    }
    return keys
  }

  /// Returns the longest side in pixels at which slices are decoded: that of the window, limited so that all
  /// slices stay in memory and every step takes one frame (SV2).
  private func side(in context: ScreenContext) -> Int {
    let window = context.display.longestSide(of: layout(in: context).content.size)
    let share = context.images.byteLimit / 10 * 8 / max(1, slices.count)
    let affordable = Int((Double(share) / 4).squareRoot())
    return max(64, min(ImageKey.roundedSide(window), affordable / 32 * 32))
  }

  private func key(_ slice: Slice, _ side: Int) -> ImageKey? {
    guard slice.hasFile else { return nil }
    return ImageKey(
      resource: slice.id, stamp: slice.stamp, side: side, turns: turns, isInverted: isInverted)
  }

  /// The content shown at the position: the slice's own image or error, or the nearest image (SV2, SV5).
  private enum Shown {
    case own(Image)
    case nearest(Image, Int)
    case error(String)
    case nothing
  }

  private func shown(_ side: Int, _ images: ImageStore) -> Shown {
    guard let slice = current, !slice.isCancelled else { return .nothing }
    if slice.state == .failed { return .error(slice.reason ?? "not available") }
    if let key = key(slice, side) {
      if let image = images.image(key) { return .own(image) }
      if let problem = images.problem(key) { return .error(problem) }
    }
    for index in order(limit: slices.count).dropFirst() {
      let other = slices[index]
      if other.state != .failed, let key = key(other, side), let image = images.image(key) {
        return .nearest(image, index)
      }
    }
    return .nothing
  }

  // MARK: - Drawing

  func footerRows(in room: Size) -> Int { 1 }

  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas) {
    guard let record else { return }
    let side = side(in: context)
    var states: [Residency] = []
    states.reserveCapacity(slices.count)
    for slice in slices {
      states.append(
        context.images.residency(
          of: slice, key(slice, side), isActive: context.library.isActive(slice.id)))
    }
    canvas.title(record.record.title, positionText, in: layout.title)
    drawSlice(of: record.record, side, in: layout.content, context, on: &canvas)
    drawFooter(of: record.record, states, in: layout.footer, context.library, on: &canvas)
    if showsInfo { drawInfo(record, in: layout.content, context.library, on: &canvas) }
  }

  private var positionText: String {
    guard !slices.isEmpty else { return "…" }
    let text = "\(location + 1)/\(slices.count)"
    guard playback.isOn else { return text }
    let played = "▶ \(Int(playback.imagesPerSecond)) fps  " + text
    guard playback.dropped > 0 else { return played }
    return CountText.text(playback.dropped, "frame") + " dropped  " + played
  }

  private func drawSlice(
    of record: Record, _ side: Int, in area: Rect, _ context: ScreenContext,
    on canvas: inout Canvas
  ) {
    let cell = context.display.cellPixels
    func draw(_ image: Image) {
      let place = zoom.place(image.size, in: area, cell: cell)
      canvas.image(image, in: place.rect, source: place.source)
    }
    switch shown(side, context.images) {
    case .own(let image): draw(image)
    case .nearest(let image, let index):
      draw(image)
      let mark = " Slice \(location + 1) is not loaded yet; showing slice \(index + 1) "
      canvas.text(mark, in: area.line(0), .chosenButton, .centre)
    case .error(let reason):
      canvas.placeholder(["Error", current?.name ?? "", reason], in: area, cell: cell)
    case .nothing:
      let text = current.map { statusText($0, record, context.library) } ?? "Finished"
      // While the image of a finished slice is being decoded, `…` replaces the status `Finished`.
      canvas.placeholder([text == "Finished" ? "…" : text], in: area, cell: cell)
    }
    canvas.text("Not for diagnosis", in: area.line(area.rows - 1), .dim, .right)
  }

  private func statusText(_ slice: Slice, _ record: Record, _ library: ReportedLibrary) -> String {
    library.statusText(
      of: slice.id, slice.state, isCancelled: slice.isCancelled, isNamed: slice.isNamed, in: record)
  }

  private func drawFooter(
    of record: Record, _ states: [Residency], in area: Rect, _ library: ReportedLibrary,
    on canvas: inout Canvas
  ) {
    var inner = area.inset(columns: 1)
    let here = states.count { $0 == .stored || $0 == .decoded }
    let failed = states.count { $0 == .error }
    let cancelled = states.count { $0 == .cancelled }
    if here + failed + cancelled < states.count {
      let used = canvas.text(
        "\(loadingText(record, library)) \(here)/\(states.count) ", in: inner, .accent)
      inner = inner.dropping(columns: used)
    } else if failed > 0 {
      let used = canvas.text("\(failed) failed ", in: inner, .error)
      inner = inner.dropping(columns: used)
    }
    ResidencyStrip.draw(count: states.count, position: location, in: inner, on: &canvas) {
      states[$0]
    }
  }

  /// Returns the state of the slices that are not loaded yet.
  private func loadingText(_ record: Record, _ library: ReportedLibrary) -> String {
    if library.isPaused(record) { return StatusText.paused }
    if !library.isRunning { return StatusText.stopped }
    let progress = library.snapshot.records[record.id]
    let isMoving = progress.map { $0.activity != ActivityCounts() } ?? false
    return record.isOnDemand && !isMoving ? StatusText.onDemand : "Loading"
  }

  private func drawInfo(
    _ record: RecordItem, in area: Rect, _ library: ReportedLibrary, on canvas: inout Canvas
  ) {
    guard let slice = current else { return }
    var lines = [
      (name: "Slice", value: "\(location + 1) of \(slices.count)"),
      ("Number", "\(record.number):\(slice.index)"), ("Name", slice.name),
      ("State", statusText(slice, record.record, library)),
    ]
    if let reason = slice.reason, !slice.isCancelled { lines.append(("Reason", reason)) }
    InfoBox.draw(lines, in: area, on: &canvas)
  }
}
