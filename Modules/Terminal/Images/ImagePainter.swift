/// A painter that sends the images of a frame to the terminal in one protocol.
///
/// For every frame the session calls `prepare`, then writes the cells, then calls `paint`. A painter either
/// replaces the cells of images by other cells, or leaves them blank and draws over them.
protocol ImagePainter {
  /// Processes the images of a new frame before its cells are written.
  /// - Parameters:
  ///   - buffer: The frame, in which the painter may replace the cells of images.
  ///   - budget: The number of bytes available for pixels. One piece is written in any case.
  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output)

  /// Draws over the cells of the frame. The current style is plain; the cursor may be anywhere afterwards.
  mutating func paint(_ buffer: CellBuffer, budget: Int, _ output: inout Output)

  /// Whether pixels of the last frame are still missing, so that the frame must be painted again.
  var needsAnotherFrame: Bool { get }

  /// Handles the erasure of the screen, which removes all painted images.
  mutating func screenWasErased(_ output: inout Output)

  /// Handles a terminal's error report about an image, identified by its number in the protocol.
  mutating func terminalRefused(image: Int, message: String)

  /// Deletes the images that the terminal holds. No other call follows.
  mutating func finish(_ output: inout Output)
}

extension ImagePainter {
  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output) {}
  mutating func paint(_ buffer: CellBuffer, budget: Int, _ output: inout Output) {}
  var needsAnotherFrame: Bool { false }
  mutating func screenWasErased(_ output: inout Output) {}
  mutating func terminalRefused(image: Int, message: String) {}
  mutating func finish(_ output: inout Output) {}
}

enum ImagePainters {
  /// - Parameter isRemote: Whether to spend time on saving bytes, as for a remote connection.
  static func painter(for capabilities: Capabilities, isRemote: Bool) -> any ImagePainter {
    switch capabilities.images {
    case .kitty: KittyPainter(compressed: isRemote)
    case .kittyPlaceholders: PlaceholderPainter(capabilities)
    case .iTerm2: InlinePainter(ITerm2Encoder(capabilities))
    case .sixel: InlinePainter(SixelEncoder(capabilities))
    case .symbols, .ascii: SymbolPainter(capabilities)
    case .none: BlankPainter()
    }
  }
}

/// A painter that leaves the cells of images blank.
struct BlankPainter: ImagePainter {}
