/// Brings the pictures of a frame to one kind of terminal. Each protocol has one.
///
/// For every frame the session calls `prepare`, then writes the cells, then calls `paint`. A painter
/// either turns the cells of pictures into other cells, or leaves them to be drawn over.
protocol PicturePainter {
  /// Works on the pictures of a new frame before its cells are written.
  /// - Parameters:
  ///   - buffer: cells that show pictures may be replaced by others.
  ///   - budget: bytes that this frame may spend on pixels. At least one step is always made.
  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output)

  /// Draws over the cells of the same frame. The pen is plain; the cursor may be left anywhere.
  mutating func paint(_ buffer: CellBuffer, budget: Int, _ output: inout Output)

  /// Whether more is to be sent for the frame that was painted last: it is then painted again.
  var needsAnotherFrame: Bool { get }

  /// The screen was erased: nothing is where it was.
  mutating func screenWasErased(_ output: inout Output)

  /// The terminal complains about a picture, by the number that it knows.
  mutating func terminalRefused(picture: Int, message: String)

  /// Frees what the terminal holds. The last call.
  mutating func end(_ output: inout Output)
}

extension PicturePainter {
  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output) {}
  mutating func paint(_ buffer: CellBuffer, budget: Int, _ output: inout Output) {}
  var needsAnotherFrame: Bool { false }
  mutating func screenWasErased(_ output: inout Output) {}
  mutating func terminalRefused(picture: Int, message: String) {}
  mutating func end(_ output: inout Output) {}
}

enum PicturePainters {
  /// - Parameter isRemote: whether bytes are dearer than time.
  static func painter(for capabilities: Capabilities, isRemote: Bool) -> any PicturePainter {
    switch capabilities.pictures {
    case .kitty: KittyPainter(compressed: isRemote)
    case .kittyPlaceholders: PlaceholderPainter(capabilities)
    case .iTerm2: InlinePainter(ITerm2Encoder(capabilities))
    case .sixel: InlinePainter(SixelEncoder(capabilities))
    case .symbols, .ascii: SymbolPainter(capabilities)
    case .none: BlankPainter()
    }
  }
}

/// Pictures stay blank.
struct BlankPainter: PicturePainter {}
