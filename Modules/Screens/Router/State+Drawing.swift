import Terminal

extension State {
  /// Draws the whole screen without side effects: equal states give equal cells.
  public func draw() -> Canvas {
    var canvas = Canvas(display.size, display.theme)
    guard !display.isTooSmall else {
      drawTooSmall(on: &canvas)
      return canvas
    }
    let context = context
    let screen = screens.top
    let layout = screen.layout(in: context)
    screen.draw(in: layout, context, on: &canvas)
    screen.buttons(in: context).draw(in: layout.buttons, on: &canvas)
    drawMessage(screen, layout, context, on: &canvas)
    if let dialog {
      canvas.fade()
      canvas.buffer.cursor = nil
      canvas.hit(canvas.bounds, .nothing)
      dialog.draw(on: &canvas)
    }
    return canvas
  }

  private func drawTooSmall(on canvas: inout Canvas) {
    var area = canvas.bounds
    let (smallest, size) = (Display.smallest, display.size)
    canvas.text(
      "imgdl needs \(smallest.columns) × \(smallest.rows)", in: area.removeTop(1), .warning)
    canvas.text("this is \(size.columns) × \(size.rows)", in: area.removeTop(1))
  }

  /// Draws the current notice; without one, the loss of the engine, or else the message of the screen.
  private func drawMessage(
    _ screen: any Screen, _ layout: ScreenLayout, _ context: ScreenContext,
    on canvas: inout Canvas
  ) {
    // A screen with one image has no line for messages, so they cover the last line of the image.
    let area =
      layout.messageLine.isEmpty ? layout.content.line(layout.content.rows - 1) : layout.messageLine
    if let notice { return notice.draw(in: area, on: &canvas) }
    if let lost = library.engineLossReason {
      let hint = library.isContinuable ? "; p continues" : ""
      return canvas.message("⚠ \(lost)\(hint)", .error, in: area)
    }
    guard !layout.messageLine.isEmpty else { return }
    if screen.acceptsText {
      screen.drawTextField(in: area, on: &canvas)
    } else if let note = screen.statusText(in: context) {
      canvas.message(note, .dim, in: area)
    } else {
      canvas.fill(area, .faint, with: "─")
    }
  }
}
