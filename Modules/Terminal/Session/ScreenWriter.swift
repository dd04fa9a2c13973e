/// Encodes frames as the differences of their cells and images from the previous frame. A session sends the
/// bytes.
public struct ScreenWriter {
  private let synchronizes: Bool
  private var diff: CellDiff
  private var painter: any ImagePainter
  /// The screen that the terminal shows after reading all bytes so far; nil if it is unknown.
  private var front: CellBuffer?
  private var cursor: Point?

  /// - Parameter isRemote: Whether to spend time on saving bytes, as for a connection over SSH.
  public init(_ capabilities: Capabilities, isRemote: Bool = false) {
    synchronizes = capabilities.synchronizedOutput
    diff = CellDiff(
      colours: capabilities.colours, unicode: capabilities.unicode,
      clusters: capabilities.graphemeClusters
        ? .known : capabilities.isTmux ? .disputedByMultiplexer : .unknown)
    painter = ImagePainters.painter(for: capabilities, isRemote: isRemote)
  }

  /// Returns the bytes that turn the previous screen, which is unknown at first, into this one.
  public mutating func bytes(for buffer: CellBuffer) -> [UInt8] {
    var output = Output()
    repeat { write(buffer, budget: .max, &output) } while needsAnotherFrame
    return output.bytes
  }

  /// Whether pixels of the last frame are still missing, so that the frame must be written again.
  var needsAnotherFrame: Bool { painter.needsAnotherFrame }

  /// Forgets the screen and the cursor after another program has written to the terminal.
  mutating func invalidate() {
    front = nil
    cursor = nil
  }

  /// Writes the bytes that show `buffer`; none if the terminal shows it already.
  /// - Parameter budget: The number of bytes available for pixels.
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

  mutating func terminalRefused(image: Int, message: String) {
    painter.terminalRefused(image: image, message: message)
  }

  /// Deletes the images that the terminal holds.
  mutating func finish(_ output: inout Output) { painter.finish(&output) }
}
