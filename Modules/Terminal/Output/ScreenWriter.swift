/// Writes frames: what differs from the frame before, in cells and pictures. Pure: a session does the
/// same and sends it.
public struct ScreenWriter {
  private let synchronizes: Bool
  private var diff: CellDiff
  private var painter: any PicturePainter
  /// What the terminal shows once it has read all that was written; nil if that is not known.
  private var front: CellBuffer?
  private var cursor: Point?

  /// - Parameter isRemote: whether bytes are dearer than time, as over SSH.
  public init(_ capabilities: Capabilities, isRemote: Bool = false) {
    synchronizes = capabilities.synchronizedOutput
    diff = CellDiff(
      colours: capabilities.colours, unicode: capabilities.unicode,
      clusters: capabilities.graphemeClusters
        ? .known : capabilities.isTmux ? .betweenTwo : .unknown)
    painter = PicturePainters.painter(for: capabilities, isRemote: isRemote)
  }

  /// The bytes that turn the screen before, at first an unknown one, into this one.
  public mutating func bytes(for buffer: CellBuffer) -> [UInt8] {
    var output = Output()
    repeat { write(buffer, budget: .max, &output) } while needsAnotherFrame
    return output.bytes
  }

  /// Pixels of the last frame are still to be sent: write it again.
  var needsAnotherFrame: Bool { painter.needsAnotherFrame }

  /// The screen is no longer what was written, nor is the cursor.
  mutating func forget() {
    front = nil
    cursor = nil
  }

  /// Writes what shows `buffer`; nothing if that is there already.
  /// - Parameter budget: bytes for pixels.
  mutating func write(_ buffer: CellBuffer, budget: Int, _ output: inout Output) {
    let start = output.count
    if synchronizes { output.append("\u{1b}[?2026h") }
    let begun = output.count
    if front?.size != buffer.size {
      front = nil
      painter.screenWasErased(&output)
      if cursor == nil { output.append("\u{1b}[?25l") }
    }
    var cells = buffer
    painter.prepare(&cells, budget: budget, &output)
    diff.write(from: front, to: cells, &output)
    painter.paint(cells, budget: budget, &output)
    writeCursor(buffer.cursor, somethingWritten: output.count > begun, &output)
    front = cells
    if output.count == begun {
      output.truncate(to: start)
    } else if synchronizes {
      output.append("\u{1b}[?2026l")
    }
  }

  private mutating func writeCursor(
    _ new: Point?, somethingWritten: Bool, _ output: inout Output
  ) {
    guard new != cursor || new != nil && somethingWritten else { return }
    if let new {
      output.move(to: max(0, new.column), max(0, new.row))
      if cursor == nil { output.append("\u{1b}[?25h") }
    } else {
      output.append("\u{1b}[?25l")
    }
    cursor = new
  }

  mutating func terminalRefused(picture: Int, message: String) {
    painter.terminalRefused(picture: picture, message: message)
  }

  /// Frees what the terminal holds of pictures.
  mutating func end(_ output: inout Output) { painter.end(&output) }
}
