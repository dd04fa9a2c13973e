import Terminal
import Models

extension State {
  /// The whole screen. Pure: the same state gives the same cells.
  public func draw() -> Canvas {
    var canvas = Canvas(size, theme)
    guard !isTooSmall else {
      drawTooSmall(on: &canvas)
      return canvas
    }
    let layout = ScreenLayout(self)
    switch place {
    case .records: drawRecords(layout, on: &canvas)
    case .resources: drawResources(layout, on: &canvas)
    case .details: drawDetails(layout, on: &canvas)
    case .viewer: drawViewer(layout, on: &canvas)
    case .slices: drawSlices(layout, on: &canvas)
    }
    drawButtons(in: layout.buttons, on: &canvas)
    drawRule(layout, on: &canvas)
    drawDialog(on: &canvas)
    return canvas
  }

  private func drawTooSmall(on canvas: inout Canvas) {
    var area = canvas.bounds
    let smallest = ScreenLayout.smallest
    canvas.text("imgdl needs \(smallest.columns) × \(smallest.rows)", in: area.takeTop(1), .warning)
    canvas.text("this is \(size.columns) × \(size.rows)", in: area.takeTop(1))
  }

  /// - Parameter right: what matters more than the title where there is little room.
  func drawTitle(_ left: String, _ right: String, in area: Rect, on canvas: inout Canvas) {
    canvas.fill(area, .title)
    let inner = area.inset(columns: 1)
    let used = canvas.text(right, in: inner, .title, .right)
    canvas.text(
      left, in: inner.prefix(columns: inner.columns - used - (used > 0 ? 2 : 0)), .title)
  }

  /// What came of the last thing that was asked for, or what holds everything up.
  private func drawRule(_ layout: ScreenLayout, on canvas: inout Canvas) {
    // Over a picture there is no line for it but the last one of the picture.
    let area = layout.rule.isEmpty ? layout.content.line(layout.content.rows - 1) : layout.rule
    if let lost = library.lost, notice == nil {
      let hint = library.isContinuable ? "; p continues" : ""
      return drawMessage("⚠ \(lost)\(hint)", .error, in: area, on: &canvas)
    }
    if let notice {
      let text = (notice.isError ? "⚠ " : "") + notice.text
      return drawMessage(text, notice.isError ? .error : .good, in: area, on: &canvas)
    }
    guard !layout.rule.isEmpty else { return }
    if place == .records, let field = records.filterField {
      canvas.text("Filter:", in: area.inset(columns: 1), .key)
      field.draw(in: area.dropping(columns: 9).inset(columns: 0), on: &canvas)
      return
    }
    if let text = standingNote {
      return drawMessage(text, .dim, in: area, on: &canvas)
    }
    canvas.fill(area, .faint, with: "─")
  }

  private func drawLine(_ text: String, _ ink: Ink, in area: Rect, on canvas: inout Canvas) {
    canvas.fill(area, .text)
    canvas.text(text, in: area.inset(columns: 1), ink)
  }

  /// A message is told whole: what does not fit into the line takes some of the lines above it.
  private func drawMessage(_ text: String, _ ink: Ink, in area: Rect, on canvas: inout Canvas) {
    // More than that is never seen, and would be wrapped for every frame.
    let shown = String(CredentialMask.masked(text).prefix(area.columns * (Self.messageLines + 1)))
    let lines = shown.wrapped(to: area.columns - 2)
    let count = min(lines.count, Self.messageLines, area.row)
    for (number, line) in lines.prefix(count).enumerated() {
      let row = Rect(area.column, area.row - count + 1 + number, area.columns, 1)
      let isCut = number == count - 1 && count < lines.count
      drawLine(isCut ? lines[number...].joined(separator: " ") : line, ink, in: row, on: &canvas)
    }
  }

  /// So many lines of a message are shown at most.
  private static let messageLines = 3

  /// What is worth saying while nothing has just happened.
  private var standingNote: String? {
    switch place {
    case .records:
      if let source = library.facts.sources.first { return source }
      if !records.arrangement.isNatural { return arrangementText }
      return library.hostNote
    case .resources:
      if let index = resources?.collection.lifted, let item = resources?.window.item(at: index) {
        return item.displayName + "  ·  Enter opens it, Esc puts it back"
      }
      guard let selected = resources?.selected else { return nil }
      if selected.needsPassword {
        return "Encrypted; Enter asks for the password of \(selected.displayName)"
      }
      if let reason = selected.reason, !selected.isCancelled {
        return "\(selected.displayName): \(reason)"
      }
      return library.hostNote
    case .details, .viewer, .slices: return nil
    }
  }

  private var arrangementText: String {
    let arrangement = records.arrangement
    var parts: [String] = []
    if !arrangement.filter.isEmpty {
      let count = records.order.map { CountText.text($0.count, "record") } ?? "…"
      parts.append("“\(arrangement.filter)”: \(count)")
    }
    if arrangement.order != .added || arrangement.isReversed {
      parts.append(
        "Sorted by \(arrangement.order.text)" + (arrangement.isReversed ? ", reversed" : ""))
    }
    return parts.joined(separator: "  ·  ")
  }

  // MARK: - Buttons

  /// What is on the buttons comes from the key table. Those for which there is no room are in the
  /// help, whose button is always there.
  private func drawButtons(in area: Rect, on canvas: inout Canvas) {
    let bindings = KeyTable.bindings(in: place).filter { $0.button != nil }
    let last = bindings.filter { $0.command == .help || $0.command == .back }
    let tail = last.reduce(0) { $0 + width($1) }
    var lines = (0..<area.rows).map { area.line($0).inset(columns: 1) }
    guard !lines.isEmpty else { return }
    // The last ones keep their room at the end of the last line.
    for binding in bindings where !last.contains(where: { $0.command == binding.command }) {
      let width = width(binding)
      let index = lines.indices.first { index in
        lines[index].columns - (index == lines.count - 1 ? tail : 0) >= width
      }
      guard let index else { continue }
      draw(binding, in: lines[index].prefix(columns: width), on: &canvas)
      lines[index] = lines[index].dropping(columns: width)
    }
    for binding in last {
      let line = lines[lines.count - 1]
      draw(binding, in: line.prefix(columns: width(binding)), on: &canvas)
      lines[lines.count - 1] = line.dropping(columns: width(binding))
    }
  }

  /// Columns of all of them in one line.
  var buttonsWidth: Int {
    KeyTable.bindings(in: place).reduce(0) { $0 + ($1.button == nil ? 0 : width($1)) } - 2
  }

  /// With the gap behind it.
  private func width(_ binding: KeyTable.Binding) -> Int {
    let stroke = binding.strokes.first?.label ?? ""
    return TextWidth.columns(stroke) + 1 + TextWidth.columns(label(binding)) + 2
  }

  private func draw(_ binding: KeyTable.Binding, in area: Rect, on canvas: inout Canvas) {
    let isEnabled = isEnabled(binding.command)
    let used = canvas.text(
      binding.strokes.first?.label ?? "", in: area, isEnabled ? .key : .disabled)
    canvas.text(
      label(binding), in: area.dropping(columns: used + 1), isEnabled ? .text : .disabled)
    if isEnabled { canvas.hit(area.prefix(columns: area.columns - 2), .command(binding.command)) }
  }

  private func label(_ binding: KeyTable.Binding) -> String {
    switch binding.command {
    case .pauseAll: library.isContinuable ? "Continue" : library.facts.isPaused ? "Resume" : "Pause"
    case .cine: slices?.isPlaying == true ? "Stop" : "Cine"
    default: binding.button ?? ""
    }
  }

  /// Greyed where it would do nothing (DL6).
  func isEnabled(_ command: Command) -> Bool {
    switch command {
    case .pauseAll: library.isContinuable || library.facts.isPausable
    case .refresh, .remove, .details, .reload:
      place != .records || records.collection.count > 0
    case .retry:
      (place == .records ? records.selected : openRecord).map {
        RecordEntry($0, in: library).isUnsuccessful
      }
        ?? false
    case .reset, .filter, .sort:
      place != .records || library.facts.counts.total > 0 || records.window.count > 0
    default: true
    }
  }
}
